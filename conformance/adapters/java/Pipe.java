package adapter;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pipe of an adapter: requests and answers, one line of JSON each. It knows no engine; a copy of Template extends it. */
@SuppressWarnings("unchecked")
public abstract class Pipe {
    /** One script on your implementation. */
    public interface Table {
        boolean layOut(Map<String, List<String>> deal);
        Object act(Action action); // null when it was taken
        Map<String, Object> look();
    }

    /** An action has a player and exactly one of play, cover and say; the others are null. */
    public record Action(String player, String play, String cover, String say) { }

    /** One script; a request for your own deals has times, seed and match (they are of one match) in place of score and deals. */
    public record Script(String variant, Map<String, String> options, List<String> players, String dealer,
        Map<String, Long> score, List<Map<String, List<String>>> deals, long times, long seed, boolean match) { }

    protected abstract Map<String, Object> hello();
    protected abstract List<String> itself();
    protected abstract Table begin(Script script);

    /** To be overridden if you observe deal. */
    protected List<Map<String, Object>> deals(Script asked) { throw new UnsupportedOperationException("deal"); }

    private static Script script(Map<String, Object> told) {
        List<Map<String, List<String>>> deals = new ArrayList<>();
        for (var hand : (List<Map<String, Object>>) told.getOrDefault("hands", List.of()))
            deals.add((Map<String, List<String>>) hand.get("deal"));
        return new Script((String) told.get("variant"), (Map<String, String>) told.get("options"),
            (List<String>) told.get("players"), (String) told.get("dealer"),
            (Map<String, Long>) told.getOrDefault("score", Map.of()), deals,
            (Long) told.getOrDefault("times", 0L), (Long) told.getOrDefault("seed", 0L),
            (Boolean) told.getOrDefault("match", false));
    }

    private Map<String, Object> run(Map<String, Object> told) {
        Table table = begin(script(told));
        List<Object> hands = new ArrayList<>();
        for (var hand : (List<Map<String, Object>>) told.get("hands")) {
            Map<String, Object> answer = new LinkedHashMap<>();
            boolean open = table.layOut((Map<String, List<String>>) hand.get("deal"));
            if (open) answer.put("start", table.look());
            List<Object> seen = new ArrayList<>();
            for (var each : (List<Map<String, String>>) hand.get("actions")) {
                Action action = new Action(each.get("player"), each.get("play"), each.get("cover"), each.get("say"));
                seen.add(open ? act(table, action) : Map.of("refused", "not-now"));
            }
            answer.put("seen", seen);
            hands.add(answer);
        }
        return Map.of("hands", hands);
    }

    private Map<String, Object> act(Table table, Action action) {
        if (action.say() != null && itself().contains(action.say().split(" ")[0])) {
            Map<String, Object> stands = new LinkedHashMap<>(table.look());
            stands.keySet().removeAll(List.of("trick", "leader", "hand")); // what speaks of one action alone
            return stands;
        }
        Object refused = table.act(action);
        Map<String, Object> seen = new LinkedHashMap<>(table.look());
        if (refused != null) seen.put("refused", refused);
        return seen;
    }

    private Map<String, Object> answer(Map<String, Object> request) {
        return switch ((String) request.get("do")) {
            case "hello" -> hello();
            case "run" -> run((Map<String, Object>) request.get("script"));
            default -> Map.of("deals", deals(script((Map<String, Object>) request.get("deal"))));
        };
    }

    public void serve() throws Exception {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err); // whatever else is printed is a log
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = requests.readLine()) != null; ) {
            Map<String, Object> request = (Map<String, Object>) Json.read(line), answer = new LinkedHashMap<>();
            if ("bye".equals(request.get("do"))) break;
            answer.put("id", request.get("id"));
            try {
                answer.putAll(answer(request));
            } catch (RuntimeException error) { // the implementation failed; the next script may do better
                answer.put("error", error.toString());
                error.printStackTrace();
            }
            answers.println(Json.write(answer));
        }
    }
}
