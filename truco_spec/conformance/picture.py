"""A table as a few lines of text: who holds what, who has played what, and what was said last."""

from __future__ import annotations

from truco_spec.conformance.protocol import OwnDeals, Script


def picture(script: Script | OwnDeals) -> list[str]:
    """The table after the last action of the script, as far as the script tells it; nothing for own deals."""
    if isinstance(script, OwnDeals) or not (script.hands and script.players):
        return []
    hand = script.hands[-1]
    rows = []
    for player in script.players:
        played = [action for action in hand.actions if action.player == player and not action.say]
        gone = {action.play or action.cover for action in played}
        held = " ".join(card for card in hand.deal.get(player, ()) if card not in gone)
        shown = " ".join(action.play or f"({action.cover})" for action in played)
        name = f"{player} (deals)" if player == script.dealer and len(script.hands) == 1 else player
        rows.append((name, f"[{held}]", shown))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = [f"{name:{widths[0]}}  {held:{widths[1]}}  {shown}".rstrip() for name, held, shown in rows]
    theirs = {card for player in script.players for card in hand.deal.get(player, ())}
    turned = [
        f"{key} {' '.join(cards)}"
        for key, cards in hand.deal.items()
        if key not in script.players and not theirs & set(cards)  # the order of the pack is no picture
    ]
    if turned:
        lines.insert(0, ", ".join(turned))
    if hand.actions:
        lines.append(f"last: {hand.actions[-1].text}")
    return lines
