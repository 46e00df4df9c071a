package adapter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The five places of Template.java, filled for a toy: Truco Paulista for two, with open cards and no word. */
public class Toy extends Pipe {
    static final String RANKS = "4567QJKA23", SUITS = "DSHC";

    public static void main(String[] args) throws Exception { new Toy().serve(); }

    @Override
    protected List<String> itself() { return List.of("shuffle", "cut", "deal"); }

    @Override
    protected Map<String, Object> hello() {
        return Map.of("protocol", 1, "name", "toy", "version", "1",
            "variants", Map.of("paulista", Map.of("players", List.of(2), "itself", itself(), "omits",
                List.of("cover", "truco", "seis", "nove", "doze", "aceito", "corro", "jogo", "fujo", "turn-up"))),
            "observes", List.of("acting", "stake", "trick", "leader", "hand", "deal"));
    }

    @Override
    protected Table begin(Script script) { return new Game(script.players(), script.players().indexOf(script.dealer())); }

    @Override
    protected List<Map<String, Object>> deals(Script asked) {
        Random chance = new Random(asked.seed());
        List<String> pack = new ArrayList<>();
        for (char rank : RANKS.toCharArray()) for (char suit : SUITS.toCharArray()) pack.add("" + rank + suit);
        List<Map<String, Object>> deals = new ArrayList<>();
        while (deals.size() < asked.times()) {
            Collections.shuffle(pack, chance);
            deals.add(Map.of(asked.players().get(0), List.copyOf(pack.subList(0, 3)),
                asked.players().get(1), List.copyOf(pack.subList(3, 6)), "vira", List.of(pack.get(6))));
        }
        return deals;
    }

    static class Game implements Table {
        final List<String> players;
        int dealer, turn;
        Map<String, List<String>> cards;
        String lies; // the card that leads the trick
        List<String> won;
        boolean over = true;
        Map<String, Object> happened;

        Game(List<String> players, int dealer) {
            this.players = players;
            this.dealer = 1 - dealer; // before the first hand
        }

        @Override
        public boolean layOut(Map<String, List<String>> deal) {
            if (!over) return false;
            turn = dealer;
            dealer = 1 - dealer;
            cards = deal;
            won = new ArrayList<>();
            over = false;
            happened = Map.of();
            return true;
        }

        @Override
        public Object act(Action action) {
            happened = Map.of();
            if (over) return "not-now";
            if (action.play() == null) return "not-offered";
            if (!action.player().equals(players.get(turn))) return "not-your-turn";
            if (!cards.get(action.player()).remove(action.play())) return "not-held";
            int leader = 1 - turn;
            if (lies == null) {
                lies = action.play();
                turn = leader;
                return null;
            }
            int led = strength(lies), follows = strength(action.play());
            if (follows > led) leader = turn;
            String taken = follows == led ? "tie" : players.get(leader);
            lies = null;
            turn = leader;
            won.add(taken);
            happened = Map.of("trick", taken, "leader", players.get(leader));
            if (winner() != null) {
                over = true;
                happened = Map.of("trick", taken, "hand", winner());
            }
            return null;
        }

        @Override
        public Map<String, Object> look() {
            Map<String, Object> seen = new HashMap<>();
            for (String key : List.of("trick", "leader", "hand")) seen.put(key, happened.get(key));
            if (!over) seen.putAll(Map.of("acting", List.of(players.get(turn)), "stake", 1));
            return seen;
        }

        int strength(String card) {
            int rank = RANKS.indexOf(card.charAt(0)), vira = RANKS.indexOf(cards.get("vira").get(0).charAt(0));
            return rank == (vira + 1) % RANKS.length() ? RANKS.length() + SUITS.indexOf(card.charAt(1)) : rank;
        }

        /** Takes two tricks, or the first that was not tied where one was. */
        String winner() {
            String first = won.stream().filter(who -> !who.equals("tie")).findFirst().orElse("drawn");
            for (String who : players) if (Collections.frequency(won, who) == 2) return who;
            return won.size() == 3 || won.contains("tie") && !first.equals("drawn") ? first : null;
        }
    }
}
