"""Adapter for pytruco 0.1.3 (PyPI): Truco uruguayo for two, four and six. Run it with: python pytruco.py

The implementation takes what anybody says as a command and does at once all that follows: when an envido or a flor is
accepted it tells the counts and pays, and when a hand is over it deals the next. So the counts of a script are words
that it says by itself.
"""

import json
import random
import sys

sys.path.pop(0)  # this file bears the name of the package
from pytruco.enco.codmsg import CodMsg
from pytruco.enco.razon import Razon
from pytruco.pdt import jugada
from pytruco.pdt.carta import Carta
from pytruco.pdt.envite import EstadoEnvite
from pytruco.pdt.partida import Partida

COUNTS = ["tengo", "paso", "son-buenas"]
SILENCE = ["callo", "asi-queda", "en-mesa"]
HELLO = {
    "protocol": 1, "name": "pytruco", "version": "0.1.3",
    "homepage": "https://pypi.org/project/pytruco/", "issues": "https://github.com/truquito/pytruco/issues",
    "variants": {"uruguayo": {
        "players": [2, 4, 6],
        "options": {"target": ["20", "40"], "envido-repeat-limit": ["1", "2", "3"]},
        "always": {
            "hiding-flor": "called-first", "pieza-values": "traditional", "pieza-flor": "with-piezas",
            "flor-raise-after-simple-reply": "not-allowed", "pedir-flor": "off", "covering": "never",
            "truco-out-of-turn": "own-turn-to-open", "accept-by-playing": "off", "raise-needs-quiero": "off",
            "mazo-scope": "player-only", "mazo-while-asked": "gives-in",
            "envido-callers": "anyone", "envido-out-of-turn": "own-turn",
            "real-envido-repeat-limit": "1", "envido-tie": "nearest-mano", "declared-values": "enforced-true",
            "falta-basis": "winner-in-malas", "falta-accumulates": "adds", "senas": "off",
        },
        "omits": ["cover", "pido-flor", "muestro", "las-jugadas", "no-muestro", "reclamo", "lo-dejo", "dale", "veo",
                  "no-ha-venido", "truco?", "envido?", "seña", "seña-propia", "veni", "anda-alla", "jugala-callado",
                  "falta-un-vidrio", "son-las-tuyas", "tanto"],
        "itself": COUNTS + SILENCE,
    }},
    "observes": ["stake", "proposal", "offer", "trick", "leader", "hand", "score", "winner", "half", "view", "deal"],
}  # fmt: skip
SUITS = {"E": "espada", "B": "basto", "O": "oro", "C": "copa"}
LETTERS = {name: letter for letter, name in SUITS.items()}
SAYS = {
    "truco": jugada.GritarTruco, "retruco": jugada.GritarReTruco, "vale-cuatro": jugada.GritarVale4,
    "quiero retruco": jugada.GritarReTruco, "quiero vale-cuatro": jugada.GritarVale4,
    "quiero": jugada.ResponderQuiero, "no-quiero": jugada.ResponderNoQuiero,
    "envido": jugada.TocarEnvido, "real-envido": jugada.TocarRealEnvido, "falta-envido": jugada.TocarFaltaEnvido,
    "flor": jugada.CantarFlor, "contraflor": jugada.CantarContraFlor,
    "contraflor-al-resto": jugada.CantarContraFlorAlResto,
    "con-flor-quiero": jugada.ResponderQuiero, "con-flor-me-achico": jugada.ResponderNoQuiero,
    "mazo": jugada.IrseAlMazo,
}  # fmt: skip
STAKES = {
    "noGritadoAun": (1, None), "truco": (1, 2), "trucoQuerido": (2, None), "reTruco": (2, 3),
    "reTrucoQuerido": (3, None), "vale4": (3, 4), "vale4Querido": (4, None),
}  # fmt: skip
PLAYED = (Razon.TRUCO_QUERIDO, Razon.TRUCO_NO_QUERIDO, Razon.SE_FUERON_AL_MAZO)
REFUSED = {"No era su turno": "not-your-turn", "esa carta no se": "not-held", "Ya tiraste esa ": "not-held"}


def card(name):
    return Carta(int(name[:-1]), SUITS[name[-1]])


def name_of(card):
    return f"{card.valor}{LETTERS[str(card.palo)]}"


class Table:
    """One script: lays out each hand, gives the commands and writes down what is seen."""

    def __init__(self, script):
        self.script, self.players = script, script["players"]
        target = int(script["options"].get("target", 30))
        envidos = script["options"].get("envido-repeat-limit", "unbounded")
        limit = target if envidos == "unbounded" else 2 * int(envidos)
        self.game = Partida(target, self.players[0::2], self.players[1::2], limite_envido=limit)
        for who, points in script["score"].items():
            self.game.puntajes[self.game.manojo(who).jugador.equipo] = points
        first = (self.players.index(script["dealer"]) + 1) % len(self.players)
        self.game.ronda.el_mano = self.game.ronda.turno = first
        self.over = True

    def play(self):
        return {"hands": [self.hand(hand) for hand in self.script["hands"]]}

    def hand(self, hand):
        if not self.over or self.game.terminada():  # here the match, or the hand before, goes another way
            return {"seen": [{"refused": "not-now"} for _ in hand["actions"]]}
        self.game.ronda.set_muestra(card(hand["deal"]["muestra"][0]))
        self.game.ronda.set_cartas([[card(name) for name in hand["deal"][who]] for who in self.players])
        self.over, self.sung = False, []
        return {"start": self.look([]), "seen": [self.act(action) for action in hand["actions"]]}

    def act(self, action):
        who, word = action["player"], action.get("say", "").split(" ")[0]
        if word in COUNTS + SILENCE:
            return self.look([])
        if word == "flor" and who in self.sung:  # when envido was said it sang this flor by itself
            self.sung.remove(who)
            return {}
        command = None if self.over else self.command(action)
        if command is None:
            return {"refused": "not-now"}
        said = [packet.message for packet in command.hacer(self.game)]
        if wrong := [message.cont for message in said if message.cod == CodMsg.ERROR]:
            return {**self.look([]), "refused": REFUSED.get(wrong[0][:15], True)}
        self.over = self.game.terminada() or any(message.cod == CodMsg.NUEVA_RONDA for message in said)
        self.sung = [message.cont for message in said if message.cod == CodMsg.CANTAR_FLOR and message.cont != who]
        seen = self.look(said)
        if word == "mazo" and self.game.terminada() and not seen.get("hand"):
            seen.pop("hand", None)  # the points of the envido have ended the game: it does not look who won the hand
        return seen

    def command(self, action):
        """What the implementation calls it; nothing, where the word does not fit what waits for an answer."""
        if "play" in action:
            return jugada.TirarCarta(action["player"], card(action["play"]))
        word, flor = action["say"], self.game.ronda.envite.estado >= EstadoEnvite.FLOR
        if (word in ("quiero", "no-quiero") and flor) or (word.startswith("con-flor") and not flor):
            return None
        if word.startswith("quiero ") and not self.game.ronda.truco.estado.es_truco_respondible():
            return None
        return SAYS[word](action["player"]) if word in SAYS else None

    def look(self, said):
        if self.sung:
            return {}  # it has paid; in the script the flor is still to be said
        seen = {"trick": None, "leader": None, "hand": None, "winner": None}
        for message in said:
            if message.cod == CodMsg.MANO_GANADA:
                seen["trick"] = message.cont["autor"]
            elif message.cod == CodMsg.LA_MANO_RESULTA_PARDA:
                seen["trick"] = "tie"
            elif message.cod == CodMsg.RONDA_GANADA and message.cont["razon"] in PLAYED:
                seen["hand"] = message.cont["autor"]
        ronda, envite = self.game.ronda, self.game.ronda.envite
        if seen["trick"] and not self.over:
            seen["leader"] = ronda.get_el_turno().jugador.id
        seen["score"] = {m.jugador.id: self.game.puntajes[m.jugador.equipo] for m in ronda.manojos[:2]}
        halves = {m.jugador.id: self.game.esta_en_malas(m.jugador.equipo) for m in ronda.manojos[:2]}
        seen["half"] = {who: "malas" if malas else "buenas" for who, malas in halves.items()}
        if self.game.terminada():
            leads = self.game.el_que_va_ganando()
            seen["winner"] = next(m.jugador.id for m in ronda.manojos if m.jugador.equipo == leads)
        if self.over:
            return seen
        seen["stake"], seen["proposal"] = STAKES[str(ronda.truco.estado)]
        offers = {EstadoEnvite.ENVIDO.value: envite.puntaje, EstadoEnvite.REALENVIDO.value: envite.puntaje}
        seen["offer"] = {**offers, EstadoEnvite.FALTAENVIDO.value: "falta"}.get(str(envite.estado))
        seen["view"] = {who: self.view(who) for who in self.players}
        return seen

    def view(self, who):
        ronda = self.game.perspectiva(who).ronda
        return [name_of(ronda.muestra)] + [name_of(card) for m in ronda.manojos for card in m.cartas if card]


def own_deals(asked):
    deals, players = [], asked["players"]
    random.seed(asked["seed"])
    for _ in range(asked["times"]):
        ronda = Partida(30, players[0::2], players[1::2]).ronda
        deal = {m.jugador.id: [name_of(card) for card in m.cartas] for m in ronda.manojos}
        deals.append({**deal, "muestra": [name_of(ronda.muestra)]})
    return {"deals": deals}


ANSWERS = {"hello": lambda _: HELLO, "run": lambda r: Table(r["script"]).play(), "deal": lambda r: own_deals(r["deal"])}

for request in map(json.loads, sys.stdin):
    if request["do"] == "bye":
        break
    try:
        answer = ANSWERS[request["do"]](request)
    except Exception as error:  # the implementation failed; the next script may do better
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
