"""Claims: what somebody says of a log, in plain words, judged under each agreement.

In: a claim and playthroughs. Out: right, wrong or undecided, and the fewest options that would turn it. Begin with
``claim``, which reads it, then ``verdict``.
"""
