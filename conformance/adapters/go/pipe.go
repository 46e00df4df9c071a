// The pipe of an adapter: requests and answers, one line of JSON each. It knows no engine; copy it with template.go.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

// Seen is what an adapter tells: an object of JSON.
type Seen = map[string]any

// Action has a player and exactly one of Play, Cover and Say.
type Action struct{ Player, Text, Play, Cover, Say string }

// Script is one script; of a request for your own deals it has Times, Seed and Match in place of Hands.
type Script struct {
	Variant, Dealer, Mode string
	Players               []string
	Teams                 [][]string
	Options               map[string]string
	Score                 map[string]int
	Hands                 []struct {
		Deal    map[string][]string
		Actions []Action
	}
	Times int
	Seed  int64
	Match bool // the deals are the hands of one match
}

// Table is one script on your implementation.
type Table interface {
	LayOut(deal map[string][]string) bool
	Act(Action) any // nil when it was taken
	Look() Seen
}

var ownDeals func(asked Script) []Seen // set it in an init, if you observe deal

type request struct {
	ID, Do       string
	Script, Deal Script
}

func main() {
	requests, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // whatever else is printed is a log
	for {
		var asked request
		err := requests.Decode(&asked)
		if err == io.EOF || asked.Do == "bye" {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		told := asked.answer()
		told["id"] = asked.ID
		if err := answers.Encode(told); err != nil {
			log.Fatal(err)
		}
	}
}

func (asked request) answer() (told Seen) {
	defer func() {
		if wrong := recover(); wrong != nil { // the implementation failed; the next script may do better
			told = Seen{"error": fmt.Sprint(wrong)}
		}
	}()
	switch asked.Do {
	case "hello":
		return hello
	case "run":
		return asked.Script.play()
	case "deal":
		return Seen{"deals": ownDeals(asked.Deal)}
	}
	return Seen{"error": "unknown request " + asked.Do}
}

func (script Script) play() Seen {
	table, hands := newTable(script), []Seen{}
	for _, hand := range script.Hands {
		told, seen := Seen{}, []Seen{}
		open := table.LayOut(hand.Deal)
		if open {
			told["start"] = table.Look()
		}
		for _, action := range hand.Actions {
			seen = append(seen, action.on(table, open))
		}
		told["seen"] = seen
		hands = append(hands, told)
	}
	return Seen{"hands": hands}
}

func (action Action) on(table Table, open bool) Seen {
	if !open {
		return Seen{"refused": "not-now"}
	}
	for _, word := range itself {
		if strings.Split(action.Say, " ")[0] == word {
			stands := table.Look()
			for _, passing := range []string{"trick", "leader", "hand"} { // what speaks of one action alone
				delete(stands, passing)
			}
			return stands
		}
	}
	refused := table.Act(action)
	seen := table.Look()
	if refused != nil {
		seen["refused"] = refused
	}
	return seen
}
