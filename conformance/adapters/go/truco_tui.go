// Adapter for truco-tui (github.com/gibavargas/truco-tui, commit 9134679), its package internal/truco: Truco Paulista for two and
// four. It expects Game with PlayCard, PlayCardFaceDown, AskTruco, RaiseTruco and RespondTruco, and Snapshot. The package is
// internal and needs Go 1.24: put this file and pipe.go into a folder cmd/adapter of the engine's own, beside those that its
// README builds, then
//
//	go build -o adapter ./cmd/adapter
//	truco-spec test --variant paulista -- ./adapter
//
// Cards and score of the script are brought in by a snapshot. It deals the next hand within the last action of the one before.
package main

import (
	"slices"
	"strings"

	"truco-tui/internal/truco"
)

var itself = []string{"shuffle", "desce", "deal", "cut", "keep", "no-familia", "keep-exposed", "ask-card", "put-back"}
var hello = Seen{
	"protocol": 1, "name": "truco-tui", "version": "9134679",
	"homepage": "https://github.com/gibavargas/truco-tui",
	"variants": Seen{"paulista": Seen{
		"players": []int{2, 4},
		"always": Seen{
			"peek-truco": "no", "peek-raise": "never", "brink-call": "void", "out-of-turn-card": "void", "iron": "own-seen",
			"brink-choice": "off", "brink-value": "1", "brink-look": "neither", // eleven is a score as any other
			"raise-beyond-need": "allowed", "partner-tie": "tie",
		},
		"omits": strings.Fields("jogo fujo turn-up pass burn look keep-card familia challenge burn-exposed looked draw-surplus " +
			"show-surplus sobe signal bad-shuffle bad-cut wrong-end boast discuss talk ask-strength show expose misdeal " +
			"joga bate vem mata cai"), // it has one way to accept
		"itself": itself,
	}},
	"observes": []string{"acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "legal", "view", "deal"},
}

var suits = map[byte]truco.Suit{'D': truco.Diamonds, 'S': truco.Spades, 'H': truco.Hearts, 'C': truco.Clubs}
var words = []string{"truco", "seis", "nove", "doze"}

func card(name string) truco.Card {
	return truco.Card{Rank: truco.Rank(name[:len(name)-1]), Suit: suits[name[len(name)-1]]}
}

func name(c truco.Card) string {
	for letter, suit := range suits {
		if suit == c.Suit {
			return string(c.Rank) + string(letter)
		}
	}
	return ""
}

func names(cards []truco.Card) []string {
	all := []string{}
	for _, each := range cards {
		all = append(all, name(each))
	}
	return all
}

type table struct {
	Script
	game     *truco.Game
	last     truco.Snapshot
	laid     int
	open     bool // the hand of the script is being played
	happened Seen
}

func start(players []string, seed int64, deal int) *truco.Game {
	game, err := truco.NewGameWithSeed(players, make([]bool, len(players)), uint64(seed), uint64(deal))
	if err != nil {
		panic(err)
	}
	return game
}

func from(s truco.Snapshot) *truco.Game {
	game, err := truco.NewGameFromSnapshot(s)
	if err != nil {
		panic(err)
	}
	return game
}

func newTable(script Script) Table { return &table{Script: script, game: start(script.Players, 1, 0)} }

func (t *table) LayOut(deal map[string][]string) bool {
	if t.open || t.game.MatchEnded() {
		return false
	}
	s := t.game.AuthoritativeSnapshot()
	if t.laid == 0 { // who deals first, and the score, are of the script
		dealer := slices.Index(t.Players, t.Dealer)
		first := (dealer + 1) % len(t.Players)
		s.CurrentHand.Dealer, s.CurrentHand.Turn, s.CurrentHand.RoundStart = dealer, first, first
		for who, points := range t.Score {
			s.MatchPoints[slices.Index(t.Players, who)%2] = points
		}
	}
	for at, who := range t.Players {
		s.Players[at].Hand = nil
		for _, each := range deal[who] {
			s.Players[at].Hand = append(s.Players[at].Hand, card(each))
		}
	}
	s.CurrentHand.Vira = card(deal["vira"][0])
	s.CurrentHand.Manilha = truco.NextRank(s.CurrentHand.Vira.Rank)
	t.game = from(s)
	t.laid++
	t.open, t.happened, t.last = true, Seen{}, t.game.AuthoritativeSnapshot()
	return true
}

// do is one action on any game: what the engine says to it, and a category where there is nothing of the kind.
func do(game *truco.Game, seat int, a Action) (error, any) {
	if wanted := a.Play + a.Cover; wanted != "" {
		at := slices.Index(game.HandCards(seat), card(wanted))
		switch {
		case at < 0:
			return nil, "not-held"
		case a.Cover != "":
			return game.PlayCardFaceDown(seat, at), nil
		}
		return game.PlayCard(seat, at), nil
	}
	s := game.AuthoritativeSnapshot()
	asked, stake := s.PendingRaiseFor != -1, s.CurrentHand.Stake
	if asked {
		stake = s.PendingRaiseTo
	}
	next := stake / 3 // of the words: one call for all raises; above the last any word will do
	switch raise := slices.Index(words, a.Say); {
	case raise >= 0 && raise != next && next < len(words):
		return nil, true
	case raise >= 0 && asked:
		return game.RaiseTruco(seat), nil
	case raise >= 0:
		return game.AskTruco(seat), nil
	case a.Say == "aceito", a.Say == "corro":
		return game.RespondTruco(seat, a.Say == "aceito"), nil
	}
	return nil, "not-offered"
}

func (t *table) Act(a Action) any {
	t.happened = Seen{}
	if !t.open {
		return "not-now"
	}
	err, refused := do(t.game, slices.Index(t.Players, a.Player), a)
	if refused == nil && err != nil {
		refused = true
	}
	if refused != nil {
		return refused
	}
	now := t.game.AuthoritativeSnapshot()
	if now.LastTrickSeq != t.last.LastTrickSeq {
		t.happened["trick"] = "tie"
		if !now.LastTrickTie {
			t.happened["trick"] = t.Players[now.LastTrickWinner]
		}
	}
	for team := range 2 {
		if now.MatchPoints[team] != t.last.MatchPoints[team] {
			t.happened["hand"], t.open = t.Players[team], false
		}
	}
	if t.open && t.happened["trick"] != nil {
		t.happened["leader"] = t.Players[now.TurnPlayer]
	}
	t.last = now
	return nil
}

func (t *table) Look() Seen {
	s := t.game.AuthoritativeSnapshot()
	score := Seen{t.Players[0]: s.MatchPoints[0], t.Players[1]: s.MatchPoints[1]}
	seen := Seen{"winner": nil, "score": score}
	for _, key := range []string{"trick", "leader", "hand"} {
		seen[key] = t.happened[key]
	}
	if s.MatchFinished {
		seen["winner"], seen["acting"] = t.Players[s.WinnerTeam], []string{}
	}
	if !t.open { // the rest is of its next hand
		return seen
	}
	acting, legal, view := []string{}, Seen{}, Seen{}
	seen["proposal"] = nil
	if s.PendingRaiseFor != -1 {
		seen["proposal"] = s.PendingRaiseTo
	}
	for at, who := range t.Players {
		if s.PendingRaiseFor == -1 && at == s.TurnPlayer || s.PendingRaiseFor == at%2 {
			acting = append(acting, who)
		}
		legal[who], view[who] = t.legal(s, at), t.view(at)
	}
	seen["stake"], seen["acting"], seen["legal"], seen["view"] = s.CurrentHand.Stake, acting, legal, view
	return seen
}

// legal asks copies of the game for everything.
func (t *table) legal(s truco.Snapshot, seat int) []string {
	asks := map[string]Action{"aceito": {Say: "aceito"}, "corro": {Say: "corro"}}
	for _, held := range names(t.game.HandCards(seat)) {
		asks[held], asks["("+held+")"] = Action{Play: held}, Action{Cover: held}
	}
	for _, word := range words {
		asks[word] = Action{Say: word}
	}
	can := []string{}
	for text, action := range asks {
		if err, refused := do(from(s), seat, action); err == nil && refused == nil {
			can = append(can, text)
		}
	}
	return can
}

// view is what a client of that seat is sent: its own hand, and what lies in the snapshot besides the hands; and what it laid.
func (t *table) view(seat int) []string {
	s := t.game.Snapshot(seat)
	cards := append([]truco.Card{s.CurrentHand.Vira}, s.Players[seat].Hand...)
	piles := [][]truco.PlayedCard{s.CurrentHand.RoundCards, s.LastTrickCards}
	for _, pile := range s.TrickPiles {
		piles = append(piles, pile.Cards)
	}
	for _, played := range slices.Concat(piles...) {
		if played.Card.Rank != "" {
			cards = append(cards, played.Card)
		}
	}
	for _, laid := range t.game.AuthoritativeSnapshot().CurrentHand.RoundCards {
		if laid.PlayerID == seat {
			cards = append(cards, laid.Card)
		}
	}
	known := names(cards)
	slices.Sort(known)
	return slices.Compact(known)
}

func init() {
	ownDeals = func(asked Script) []Seen {
		deals := []Seen{}
		for n := range asked.Times {
			game := start(asked.Players, asked.Seed, n)
			deal := Seen{"vira": []string{name(game.AuthoritativeSnapshot().CurrentHand.Vira)}}
			for at, who := range asked.Players {
				deal[who] = names(game.HandCards(at))
			}
			deals = append(deals, deal)
		}
		return deals
	}
}
