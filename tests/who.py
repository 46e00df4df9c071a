"""“Who is right?” in a browser, as a person uses it."""

from __future__ import annotations

import json
from typing import Any

from browser import Browser

from truco_spec.logs.line import UNKNOWN

HIT = "document.querySelector('[data-hit]')"
ROOT = "document.getElementById('who')"


def go(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.wait(f"!!({ROOT} && {ROOT}.dataset.ready)")


def text(browser: Browser, selector: str) -> str:
    return str(browser.run(f"document.querySelector({json.dumps(selector)}).innerText"))


class Hand:
    """A person at the page, who finds a thing by what it shows or is called, and acts with a finger or with keys."""

    def __init__(self, browser: Browser, keys: bool) -> None:
        self.browser, self.keys = browser, keys
        self.said = json.loads(browser.run(f"{ROOT}.dataset.said"))

    def finds(self, it: str) -> bool:
        """Whether an expression finds an element that is to be seen; it is the one that is acted on next."""
        return bool(
            self.browser.run(f"""(() => {{
              const it = {it};
              document.querySelector('[data-hit]')?.removeAttribute('data-hit');
              if (!it?.checkVisibility() || it.disabled) return false;
              it.setAttribute('data-hit', '');
              return true; }})()""")
        )

    def act(self, it: str, draws: bool = True) -> None:
        """Tap on what an expression finds, or press Enter on it; wait until the page has drawn what comes of it."""
        assert self.finds(it), it
        before = self.browser.run(f"{ROOT}.dataset.ready")
        if self.keys:
            self.focus()
            self.browser.page.keyboard.press("Enter")
        else:
            self.browser.page.click("[data-hit]")
        if draws:
            self.browser.wait(f"{ROOT}.dataset.ready !== {json.dumps(before)}")

    def focus(self) -> None:
        """Press Tab until it has the focus."""
        for _ in range(300):
            if self.browser.run(f"document.activeElement === {HIT}"):
                return
            self.browser.page.keyboard.press("Tab")
        raise AssertionError(self.browser.run(f"{HIT}.outerHTML"))

    def choose(self, it: str, value: str) -> None:
        """Take the entry of a list that has this value, or that reads so."""
        assert self.finds(it), it
        at, wanted = self.browser.run(
            f"[{HIT}.selectedIndex, [...{HIT}.options]"
            f".findIndex((one) => one.value === {json.dumps(value)} || one.text === {json.dumps(value)})]"
        )
        assert wanted >= 0, (value, self.browser.run(f"{HIT}.innerText"))
        if not self.keys:
            self.browser.page.select_option("[data-hit]", self.browser.run(f"{HIT}.options[{wanted}].value"))
            return
        while at != wanted:
            step = 1 if wanted > at else -1
            assert self.finds(it), it  # drawn anew with each value
            self.focus()
            self.browser.page.keyboard.press("ArrowDown" if step > 0 else "ArrowUp")
            at += step

    def enter(self, log: dict[str, Any]) -> None:
        """Lay out a log, and tell what happened."""
        if not self.finds(f"document.querySelector('[data-game={log['variant']}]')"):
            self.act("document.querySelector('.which > summary')", draws=False)
        self.act(f"document.querySelector('[data-game={log['variant']}]')")
        self.act("document.querySelector('.setup > summary')", draws=False)
        self.browser.wait("document.querySelector('.setup select')")
        field = "document.querySelectorAll('.setup > div > label select')[{}]"
        self.choose(field.format(0), str(len(log["players"])))
        self.browser.wait(f"{field.format(1)}.options.length === {len(log['players'])}")
        self.choose(field.format(1), log["dealer"].capitalize())
        for place, name in enumerate(log["players"][:2]):
            if points := log.get("score", {}).get(name):
                self.type(f"document.querySelectorAll('.setup input[type=number]')[{place}]", str(points))
        for name, value in log.get("options", {}).items():
            self.agree(name, value)
        (hand,) = log["hands"]
        for key, cards in hand.get("deal", {}).items():
            named = key.capitalize() if key in log["players"] else key
            add = f"document.querySelector('.setup [aria-label={json.dumps(self.said['add'] + ': ' + named)}]')"
            for card in cards.split() if named != key or self.finds(add) else ():  # a place of other games
                self.act(add, draws=False)
                self.card(card)
        self.act("document.querySelector('.setup > summary')", draws=False)
        for move in hand["moves"].split(", "):
            self.move(move[0].upper() + move[1:])

    def agree(self, name: str, value: str) -> None:
        """Set an option, which is asked in the words of the game's data."""
        ask = self.browser.run(f"""fetch(performance.getEntriesByType('resource')
          .findLast((one) => one.name.endsWith('.json')).name).then((it) => it.json())
          .then((it) => it.switches.find((one) => one.name === {json.dumps(name)}).ask.en)""")
        label = self.one(".setup label", f"one.innerText.includes({json.dumps(ask)})")
        if not self.finds(f"{label}?.querySelector('select')"):
            self.act("document.querySelector('.setup details[data-part=agreed] > summary')", draws=False)
        self.choose(f"{label}.querySelector('select')", value)

    def type(self, it: str, value: str) -> None:
        """Write over what is in a field."""
        assert self.finds(it), it
        before = self.browser.run(f"{ROOT}.dataset.ready")
        if self.keys:
            self.focus()
            self.browser.run("document.activeElement.select()")
            self.browser.page.keyboard.insert_text(value)
            self.browser.page.keyboard.press("Enter")
        else:
            self.browser.page.fill("[data-hit]", value)
            self.browser.run("document.activeElement.blur()")
        self.browser.wait(f"{ROOT}.dataset.ready !== {json.dumps(before)}")

    @staticmethod
    def one(selector: str, test: str) -> str:
        """Of what a selector finds, that of which an expression on ``one`` is true."""
        return f"[...document.querySelectorAll({json.dumps(selector)})].find((one) => {test})"

    def reads(self, selector: str, label: str) -> str:
        return self.one(selector, f"one.innerText === {json.dumps(label)}")

    def card(self, card: str) -> None:
        """Take a card of the pack, or none that is known."""
        if card == UNKNOWN:
            self.act(self.reads("dialog .pack > button", self.said["forgotten"]))
        else:
            self.act(f"document.querySelector('dialog .pack button:has(use[href$=\"card-{card}\"])')")

    def move(self, move: str) -> None:
        """Tell what a player did: as it is offered, else among what the others may say, else as something else."""
        who, words = move.split(" ", 1)
        if self.offered(move, who, words):
            return
        if self.finds(self.reads(".doing summary", self.said["speak"])):
            self.act(HIT, draws=False)
            if self.offered(move, who, words):
                return
        other = self.one(".doing details", f"one.innerText.startsWith({json.dumps(self.said['other'])})")
        self.act(f"{other}.querySelector('summary')", draws=False)
        self.browser.wait(f"{other}.querySelector('select')")
        lists, (card, kind) = f"{other}.querySelectorAll('select')", laid(words)
        self.choose(f"{lists}[0]", who)
        self.choose(f"{lists}[1]", self.said[kind] if kind else words.replace("-", " "))
        if kind:
            self.choose(f"{lists}[2]", card)
        self.act(f"{other}.querySelector('.row > button')")

    def offered(self, move: str, who: str, words: str) -> bool:
        """Tell it, if it is to be seen in the player's row."""
        (card, kind), row = laid(words), f"{self.reads('.doing h3', who)}?.nextElementSibling"
        among = f"[...({row}?.querySelectorAll('button, select') ?? [])].find((one) => {{}})".format
        if kind == "card" and self.finds(f"{row}?.querySelector('button:has(use[href$=\"card-{card}\"])')"):
            self.act(HIT)
        elif kind and self.finds(among(f"one.innerText === {json.dumps(self.said[kind] + ' …')}")):
            self.act(HIT, draws=False)
            self.card(card)
        elif self.finds(among(f"one.innerText === {json.dumps(words.replace('-', ' '))}")):
            self.act(HIT)
        elif self.finds(among(f"[...(one.options ?? [])].some((each) => each.value === {json.dumps(move)})")):
            self.choose(HIT, move)
            self.act(f"{HIT}.nextElementSibling")
        else:
            return False
        return True


def laid(words: str) -> tuple[str, str]:
    """The card that a move lays, and how: open, covered, or not at all."""
    card = words.strip("()")
    is_card = card == UNKNOWN or ((card[:1].isdigit() or card[:1].isupper()) and card[-1:].isupper())
    return card, ("card" if card == words else "covered") if is_card else ""
