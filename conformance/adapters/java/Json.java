package adapter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** As much JSON as the protocol needs: reads requests, which are in order, and writes any answer. */
final class Json {
    private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|[\\[\\]{}]|[^\\s,:\\[\\]{}\"]+");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");
    private final Matcher tokens;

    private Json(String line) { tokens = TOKEN.matcher(line); }

    static Object read(String line) {
        Json json = new Json(line);
        return json.value(json.next());
    }

    private String next() {
        if (!tokens.find()) throw new IllegalArgumentException("this JSON breaks off");
        return tokens.group();
    }

    private Object value(String token) {
        switch (token.charAt(0)) {
            case '{':
                Map<String, Object> map = new LinkedHashMap<>();
                for (String key = next(); !key.equals("}"); key = next()) map.put(text(key), value(next()));
                return map;
            case '[':
                List<Object> list = new ArrayList<>();
                for (String each = next(); !each.equals("]"); each = next()) list.add(value(each));
                return list;
            case '"': return text(token);
            case 't': case 'f': return Boolean.valueOf(token);
            case 'n': return null;
            default: return token.matches("-?\\d+") ? (Object) Long.valueOf(token) : (Object) Double.valueOf(token);
        }
    }

    private static String text(String quoted) {
        return ESCAPE.matcher(quoted.substring(1, quoted.length() - 1)).replaceAll(found -> Matcher.quoteReplacement(
            found.group(1) != null ? "" + (char) Integer.parseInt(found.group(1), 16)
                : "\\\"/".contains(found.group(2)) ? found.group(2) : " ")); // a line break or its like
    }

    static String write(Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) return "" + value;
        if (value instanceof List<?> list) return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        if (value instanceof Map<?, ?> map)
            return map.entrySet().stream().map(each -> write(each.getKey()) + ":" + write(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        return '"' + value.toString().replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ") + '"';
    }
}
