package adapter;

import java.util.List;
import java.util.Map;

/**
 * An adapter to copy: five places marked TODO join it to your implementation. docs/implementers.md explains them.
 *
 * Build it with:    javac -d classes Json.java Pipe.java Template.java     (Java 17 or newer)
 * and run it with:  truco-spec test -- java -cp classes adapter.Template
 */
public class Template extends Pipe {
    public static void main(String[] args) throws Exception { new Template().serve(); }

    // TODO 1: who you are, what you play, what you can tell. `truco-spec words paulista` prints all that can stand here;
    // what the keys mean, and how an implementation that is set in its ways is described, stands in docs/protocol.md.
    @Override
    protected List<String> itself() { return List.of("shuffle", "desce", "cut", "deal"); } // never put to yours: it says them by itself

    @Override
    protected Map<String, Object> hello() {
        return Map.of("protocol", 1, "name", "my-truco", "version", "0",
            "variants", Map.of("paulista", Map.of(
                "players", List.of(2), "always", Map.of(), "omits", List.of(), "itself", itself(), "late", List.of())),
            "observes", List.of("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner"));
    }

    @Override
    protected Table begin(Script script) {
        // TODO 2: begin a match: script.players() in order of play, script.dealer(), script.score(), script.options()
        return new MyTable();
    }

    static class MyTable implements Table {
        @Override
        public boolean layOut(Map<String, List<String>> deal) {
            // TODO 3: begin the next hand with these cards, as {P1: [3C, 4D, 7S], P0: […], vira: [5H]};
            // false where your match is over, or the hand before is not
            return true;
        }

        @Override
        public Object act(Action action) {
            // TODO 4: let action.player() play the card action.play(), cover action.cover(), or say action.say()
            return "not-offered"; // null when it was taken; when it was refused, a category or true
        }

        @Override
        public Map<String, Object> look() {
            // TODO 5: what can be seen now, as {acting: [P1], stake: 1}, and what the last action brought about, as
            // {trick: P1, leader: P1}; leave out what you do not know, or keep for later
            return Map.of();
        }
    }
}
