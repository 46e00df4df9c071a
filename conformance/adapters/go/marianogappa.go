// Adapter for marianogappa/truco (github.com/marianogappa/truco, commit 485cd81), its package truco: Truco argentino for two,
// with and without flor. It expects GameState with RunAction and CalculatePossibleActions, the actions of the package and
// ToClientGameState. It needs Go 1.22 and nothing built before; in the engine's folder
//
//	go build -o adapter PATH/pipe.go PATH/marianogappa.go
//	truco-spec test --variant argentino -- ./adapter
//
// RunAction is the gate that its server uses, so it says what is refused; legal is what its clients are offered.
package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/marianogappa/truco/truco"
)

var itself = []string{"callo", "asi-queda", "las-jugadas", "en-mesa", "lo-dejo", "recojo"}
var hello = Seen{
	"protocol": 1, "name": "marianogappa-truco", "version": "485cd81",
	"homepage": "https://github.com/marianogappa/truco",
	"variants": Seen{"argentino": Seen{
		"players": []int{2},
		"options": Seen{"con-flor": []string{"off"}},
		"always": Seen{
			"truco-out-of-turn": "own-turn", "envido-out-of-turn": "own-turn", "accept-by-playing": "off", "covering": "never",
			"declared-values": "enforced-true", "told-counts": "only-better", "hiding-flor": "called-first", "pedir-flor": "off",
			"mazo-award": "plus-1-in-first-trick", "mazo-scope": "player-only", "mazo-while-asked": "gives-in", "envido-repeat-limit": "2",
			"real-envido-repeat-limit": "1", "envido-refused-raise": "accepted-only", "falta-basis": "winner-in-malas",
			"flor-raise-after-simple-reply": "not-allowed", "flor-showing": "winner-only", "flor-out-of-turn": "own-turn", "senas": "off",
			"score-beyond-target": "cut",
		},
		"omits": strings.Fields("cover paso pido-flor muestro no-muestro reclamo dale veo no-ha-venido truco? envido? seña " +
			"seña-propia veni anda-alla jugala-callado falta-un-vidrio son-las-tuyas tanto"),
		"itself": itself,
	}},
	"observes": []string{"acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "legal", "view", "deal"},
}

func card(name string) truco.Card {
	number, _ := strconv.Atoi(name[:len(name)-1])
	suit := map[byte]string{'E': truco.ESPADA, 'B': truco.BASTO, 'O': truco.ORO, 'C': truco.COPA}[name[len(name)-1]]
	return truco.Card{Number: number, Suit: suit}
}

func names(hands ...[]truco.Card) []string {
	all := []string{}
	for _, each := range slices.Concat(hands...) {
		all = append(all, strconv.Itoa(each.Number)+strings.ToUpper(each.Suit[:1]))
	}
	return all
}

type table struct {
	*truco.GameState
	script   Script
	laid     int
	happened Seen
}

func newTable(script Script) Table {
	return &table{script: script, GameState: truco.New(truco.WithFlorEnabled(script.Options["con-flor"] != "off"))}
}

func (t *table) LayOut(deal map[string][]string) bool {
	if t.laid == 0 {
		mano := 1 - slices.Index(t.script.Players, t.script.Dealer)
		t.RoundTurnPlayerID, t.TurnPlayerID, t.TurnOpponentPlayerID = mano, mano, 1-mano
		for who, points := range t.script.Score {
			t.Players[slices.Index(t.script.Players, who)].Score = points
		}
	} else {
		if t.IsGameEnded || !t.IsRoundFinished {
			return false
		}
		t.next()
		if t.IsRoundFinished || t.IsGameEnded {
			return false
		}
	}
	for at, who := range t.script.Players {
		hand := &truco.Hand{Revealed: []truco.Card{}}
		for _, each := range deal[who] {
			hand.Unrevealed = append(hand.Unrevealed, card(each))
		}
		t.Players[at].Hand, t.RoundsLog[t.RoundNumber].HandsDealt[at] = hand, hand
	}
	t.laid, t.happened = t.laid+1, Seen{}
	return true
}

func (t *table) next() {
	for _, who := range []int{0, 1} {
		t.RunAction(truco.NewActionConfirmRoundFinished(who))
	}
}

// shows lets the winners show what they have to: when the hand is over, and at once where the points win the game.
func (t *table) shows() {
	for _, who := range []int{0, 1} {
		for _, show := range []truco.Action{truco.NewActionRevealFlorScore(who), truco.NewActionRevealEnvidoScore(who)} {
			show.Enrich(*t.GameState)
			if show.IsPossible(*t.GameState) {
				t.RunAction(show)
			}
		}
	}
}

// says has the actions that a word may be, the first one that is possible now.
var says = map[string][]func(int) truco.Action{
	"truco":        {truco.NewActionSayTruco},
	"retruco":      {truco.NewActionSayQuieroRetruco},
	"vale-cuatro":  {truco.NewActionSayQuieroValeCuatro},
	"quiero":       {truco.NewActionSayEnvidoQuiero, truco.NewActionSayTrucoQuiero},
	"no-quiero":    {truco.NewActionSayEnvidoNoQuiero, truco.NewActionSayTrucoNoQuiero},
	"envido":       {truco.NewActionSayEnvido},
	"real-envido":  {truco.NewActionSayRealEnvido},
	"falta-envido": {truco.NewActionSayFaltaEnvido},
	"tengo": {
		truco.NewActionSayEnvidoScore, truco.NewActionSaySonMejores, truco.NewActionSayFlorScore, truco.NewActionSayFlorSonMejores,
	},
	"son-buenas":          {truco.NewActionSayFlorSonBuenas, truco.NewActionSaySonBuenas},
	"flor":                {truco.NewActionSayFlor},
	"contraflor":          {truco.NewActionSayContraflor},
	"contraflor-al-resto": {truco.NewActionSayContraflorAlResto},
	"con-flor-quiero":     {truco.NewActionSayConFlorQuiero},
	"con-flor-me-achico":  {truco.NewActionSayConFlorMeAchico},
	"mazo":                {truco.NewActionSayMeVoyAlMazo},
}

// text is how an action is said now.
func (t *table) text(action truco.Action) string {
	if played, ok := action.(*truco.ActionRevealCard); ok {
		return names([]truco.Card{played.Card})[0]
	}
	for word, makes := range says {
		for _, make := range makes {
			if make(0).GetName() != action.GetName() {
				continue
			}
			hand := t.Players[action.GetPlayerID()].Hand
			switch {
			case word == "tengo" && strings.Contains(action.GetName(), "flor"):
				return "tengo " + strconv.Itoa(hand.FlorScore())
			case word == "tengo":
				return "tengo " + strconv.Itoa(hand.EnvidoScore())
			case (word == "retruco" || word == "vale-cuatro") && t.asked(): // it accepts and raises in one breath
				return "quiero " + word
			}
			return word
		}
	}
	return ""
}

func (t *table) asked() bool { return !t.TrucoSequence.IsEmpty() && !t.TrucoSequence.IsFinished() }

func (t *table) action(who int, a Action) truco.Action {
	if a.Play != "" {
		return truco.NewActionRevealCard(card(a.Play), who)
	}
	word, _, _ := strings.Cut(strings.TrimPrefix(a.Say, "quiero "), " ")
	for _, make := range says[word] {
		if action := make(who); t.text(action) == a.Say && action.IsPossible(*t.GameState) {
			return action
		}
	}
	return nil
}

func (t *table) Act(a Action) any {
	t.happened = Seen{}
	who := slices.Index(t.script.Players, a.Player)
	if a.Play != "" && !t.Players[who].Hand.HasUnrevealedCard(card(a.Play)) {
		return "not-held"
	}
	action, tricks := t.action(who, a), len(t.CardRevealSequence.BistepWinners)
	if action == nil || t.IsRoundFinished {
		return true
	}
	action.Enrich(*t.GameState)
	if err := t.RunAction(action); err != nil {
		return true
	}
	if now := t.CardRevealSequence.BistepWinners; len(now) > tricks {
		t.happened["trick"] = "tie"
		if who := now[len(now)-1]; who != -1 {
			t.happened["trick"] = t.script.Players[who]
		}
		t.happened["leader"] = t.script.Players[t.TurnPlayerID]
	}
	if t.IsRoundFinished {
		t.happened["leader"] = nil
		t.happened["hand"] = t.script.Players[t.RoundsLog[t.RoundNumber].TrucoWinnerPlayerID]
	}
	t.shows()
	return nil
}

// owed is whether an envido or a flor is won and not yet paid, which it is when the cards are shown.
func (t *table) owed() bool {
	round := t.RoundsLog[t.RoundNumber]
	return round.EnvidoWinnerPlayerID != -1 && t.EnvidoSequence.WasAccepted() && !t.EnvidoSequence.EnvidoPointsAwarded ||
		round.FlorWinnerPlayerID != -1 && !t.FlorSequence.FlorPointsAwarded
}

func (t *table) Look() Seen {
	score, view, legal := Seen{}, Seen{}, map[string][]string{}
	for at, who := range t.script.Players {
		client := t.ToClientGameState(at)
		score[who], legal[who] = t.Players[at].Score, []string{}
		view[who] = names(client.YourRevealedCards, client.TheirRevealedCards, client.YourUnrevealedCards)
	}
	seen := Seen{"winner": nil, "view": view}
	if !t.owed() {
		seen["score"] = score
	}
	for _, key := range []string{"trick", "leader", "hand"} {
		seen[key] = t.happened[key]
	}
	if t.IsGameEnded {
		seen["winner"], seen["acting"] = t.script.Players[t.WinnerPlayerID], []string{}
	}
	if t.IsGameEnded || t.IsRoundFinished {
		return seen
	}
	seen["acting"], seen["stake"], seen["proposal"] = []string{t.script.Players[t.TurnPlayerID]}, 1, nil
	if !t.TrucoSequence.IsEmpty() {
		seen["stake"] = t.TrucoSequence.Cost()
	}
	if t.asked() {
		seen["proposal"] = t.TrucoSequence.Cost() + 1
	}
	for _, each := range t.CalculatePossibleActions() {
		if text := t.text(each); text != "" {
			who := t.script.Players[each.GetPlayerID()]
			legal[who] = append(legal[who], text)
		}
	}
	seen["legal"] = legal
	return seen
}

func init() {
	ownDeals = func(asked Script) []Seen { // its deck takes no seed
		deals := []Seen{}
		for range asked.Times {
			game, deal := truco.New(), Seen{}
			for at, who := range asked.Players {
				deal[who] = names(game.Players[at].Hand.Unrevealed)
			}
			deals = append(deals, deal)
		}
		return deals
	}
}
