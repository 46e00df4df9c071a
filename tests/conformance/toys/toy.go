// The five places of template.go, filled for a toy: Truco Paulista for two, with open cards and no word.
package main

import (
	"math/rand"
	"strings"
)

const ranks, suits = "4567QJKA23", "DSHC"

var itself = []string{"shuffle", "cut", "deal"}
var hello = Seen{
	"protocol": 1,
	"name":     "toy",
	"version":  "1",
	"variants": Seen{"paulista": Seen{
		"players": []int{2},
		"omits":   []string{"cover", "truco", "seis", "nove", "doze", "aceito", "corro", "jogo", "fujo", "turn-up"},
		"itself":  itself,
	}},
	"observes": []string{"acting", "stake", "trick", "leader", "hand", "deal"},
}

type toy struct {
	players      []string
	dealer, turn int
	cards        map[string][]string
	lies         string // the card that leads the trick
	won          []string
	over         bool
	happened     Seen
}

func newTable(script Script) Table {
	t := &toy{players: script.Players, over: true}
	if script.Dealer == t.players[0] {
		t.dealer = 1 // before the first hand
	}
	return t
}

func (t *toy) LayOut(deal map[string][]string) bool {
	if !t.over {
		return false
	}
	t.dealer, t.turn = 1-t.dealer, t.dealer
	t.cards, t.won, t.over, t.happened = deal, nil, false, Seen{}
	return true
}

func (t *toy) Act(action Action) any {
	t.happened = Seen{}
	at := -1
	for n, card := range t.cards[action.Player] {
		if card == action.Play {
			at = n
		}
	}
	switch {
	case t.over:
		return "not-now"
	case action.Play == "":
		return "not-offered"
	case action.Player != t.players[t.turn]:
		return "not-your-turn"
	case at < 0:
		return "not-held"
	}
	t.cards[action.Player][at] = ""
	leader := 1 - t.turn
	if t.lies == "" {
		t.lies, t.turn = action.Play, leader
		return nil
	}
	taken, led, follows := "tie", t.strength(t.lies), t.strength(action.Play)
	if follows > led {
		leader = t.turn
	}
	if follows != led {
		taken = t.players[leader]
	}
	t.lies, t.turn, t.won = "", leader, append(t.won, taken)
	t.happened = Seen{"trick": taken, "leader": t.players[leader]}
	if winner := t.winner(); winner != "" {
		t.over = true
		t.happened = Seen{"trick": taken, "leader": nil, "hand": winner}
	}
	return nil
}

func (t *toy) Look() Seen {
	seen := Seen{"trick": nil, "leader": nil, "hand": nil}
	if !t.over {
		seen["acting"], seen["stake"] = []string{t.players[t.turn]}, 1
	}
	for key, value := range t.happened {
		seen[key] = value
	}
	return seen
}

func (t *toy) strength(card string) int {
	rank := strings.IndexByte(ranks, card[0])
	if rank == (strings.IndexByte(ranks, t.cards["vira"][0][0])+1)%len(ranks) {
		return len(ranks) + strings.IndexByte(suits, card[1])
	}
	return rank
}

// winner takes two tricks, or the first that was not tied where one was.
func (t *toy) winner() string {
	first, count := "drawn", map[string]int{}
	for _, who := range t.won {
		count[who]++
		if who != "tie" && count[who] == 2 {
			return who
		}
		if who != "tie" && first == "drawn" {
			first = who
		}
	}
	if len(t.won) == 3 || count["tie"] > 0 && first != "drawn" {
		return first
	}
	return ""
}

func init() {
	ownDeals = func(asked Script) []Seen {
		chance, deals := rand.New(rand.NewSource(asked.Seed)), []Seen{}
		for len(deals) < asked.Times {
			pack := []string{}
			for _, n := range chance.Perm(len(ranks) * len(suits)) {
				pack = append(pack, ranks[n/4:][:1]+suits[n%4:][:1])
			}
			deals = append(deals, Seen{asked.Players[0]: pack[:3], asked.Players[1]: pack[3:6], "vira": pack[6:7]})
		}
		return deals
	}
}
