// An adapter to copy: five places marked TODO join it to your implementation. docs/implementers.md explains them.
//
// Build it with:    go build -o adapter pipe.go template.go
// and run it with:  truco-spec test -- ./adapter
package main

// TODO 1: who you are, what you play, what you can tell. `truco-spec words paulista` prints all that can stand here;
// what the keys mean, and how an implementation that is set in its ways is described, stands in docs/protocol.md.
var itself = []string{"shuffle", "desce", "cut", "deal"} // words that are never put to your implementation: it says them by itself
var hello = Seen{
	"protocol": 1,
	"name":     "my-truco",
	"version":  "0",
	"variants": Seen{"paulista": Seen{
		"players": []int{2}, "always": Seen{}, "omits": []string{}, "itself": itself, "late": []string{},
	}},
	"observes": []string{"acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner"},
}

// table is one script on your implementation.
type table struct{ script Script }

func newTable(script Script) Table {
	// TODO 2: begin a match: script.Players in order of play, script.Dealer, script.Score, script.Options
	return &table{script}
}

func (t *table) LayOut(deal map[string][]string) bool {
	// TODO 3: begin the next hand with these cards, as {"P1": {"3C", "4D", "7S"}, "P0": …, "vira": {"5H"}};
	// false where your match is over, or the hand before is not
	return true
}

func (t *table) Act(action Action) any {
	// TODO 4: let action.Player play the card action.Play, cover the card action.Cover, or say action.Say
	return "not-offered" // nil when it was taken; when it was refused, a category or true
}

func (t *table) Look() Seen {
	// TODO 5: what can be seen now, as {"acting": {"P1"}, "stake": 1}, and what the last action brought about, as
	// {"trick": "P1", "leader": "P1"}; leave out what you do not know, or keep for later
	return Seen{}
}
