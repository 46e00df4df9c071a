"""Pages for people: self-contained HTML from logs and graphs, through Jinja2 templates that escape what they show."""
