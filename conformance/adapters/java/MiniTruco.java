package me.chester.minitruco.core;

import adapter.Pipe;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Adapter for miniTruco (github.com/chesterbr/minitruco-android, commit d52595d), its module core: Truco Paulista and Mineiro for
 * four. It is of the engine's package, and expects PartidaLocal, its private iniciaMao, processaJogada and baralho, Jogador and
 * Baralho. Build the module by the Gradle of the engine (./gradlew core:build), then, with its classes in CORE:
 *
 *   javac -cp CORE -d classes Json.java Pipe.java MiniTruco.java
 *   truco-spec test -- java -cp CORE:classes me.chester.minitruco.core.MiniTruco
 *
 * Four players sit at a PartidaLocal, say what the script says and are told what happens, as its server's players are.
 * run() is done by hand, since it sleeps before every card; the next hand is dealt within the last action of the one before.
 */
public class MiniTruco extends Pipe {
    static final String SUITS = "HDSC"; // copas, ouros, espadas, paus

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        new MiniTruco().serve();
    }

    // No raise answers a raise, both partners have to run, they see no cards but before a hand of eleven, and what is wrong is ignored
    static final Map<String, Object> ALWAYS = Map.of("counter-as-answer", "off", "raise-beyond-need", "allowed",
        "peek-truco", "no", "peek-raise", "never", "brink-call", "void", "out-of-turn-card", "void",
        "iron", "own-seen", "iron-all-tied", "as-ever", "who-runs", "both", "covers-per-side", "one");
    static final List<String> OMITS = List.of("turn-up", "pass", "burn", "look", "keep-card", "familia", "challenge",
        "burn-exposed", "looked", "draw-surplus", "show-surplus", "sobe", "signal", "bad-shuffle", "bad-cut", "wrong-end",
        "boast", "discuss", "talk", "ask-strength", "show", "expose", "misdeal",
        "joga", "bate", "vem", "mata", "cai"); // one button to accept

    @Override
    protected List<String> itself() {
        return List.of("shuffle", "desce", "deal", "cut", "keep", "no-familia", "keep-exposed", "ask-card", "put-back");
    }

    Map<String, Object> plays(Map<String, Object> options, Map<String, Object> more) {
        Map<String, Object> always = new HashMap<>(ALWAYS);
        always.putAll(more);
        return Map.of("players", List.of(4), "options", options, "always", always, "omits", OMITS, "itself", itself());
    }

    @Override
    protected Map<String, Object> hello() {
        Map<String, Object> modes = Map.of("deck", List.of("clean"), "manilhas", List.of("fixed"));
        return Map.of("protocol", 1, "name", "miniTruco", "version", "d52595d",
            "homepage", "https://github.com/chesterbr/minitruco-android",
            "variants", Map.of("paulista", plays(modes, Map.of()),
                "mineiro", plays(Map.of(),
                    Map.of("scoring", "points", "nine", "10", "bet", "hand", "raising", "later", "tie-lead", "leader"))),
            "observes", List.of("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "view", "deal"));
    }

    @Override
    protected Table begin(Script script) { return new Mesa(script); }

    @Override
    protected List<Map<String, Object>> deals(Script asked) {
        List<Map<String, Object>> deals = new ArrayList<>();
        while (deals.size() < asked.times()) {
            Mesa mesa = new Mesa(asked);
            mesa.start();
            Map<String, Object> deal = new HashMap<>();
            for (Assento seat : mesa.seats) deal.put(seat.player, List.copyOf(names(seat.getCartas())));
            if (!mesa.partida.modo.isManilhaVelha()) deal.put("vira", List.of(name(mesa.partida.cartaDaMesa)));
            deals.add(deal);
        }
        return deals;
    }

    static String name(Carta card) { return "" + card.getLetra() + SUITS.charAt(card.getNaipe()); }

    static Carta card(String name) { return new Carta(name.charAt(0), SUITS.indexOf(name.charAt(1))); }

    static Set<String> names(Carta[] cards) {
        Set<String> names = new LinkedHashSet<>();
        for (Carta card : cards) names.add(name(card));
        return names;
    }

    static String mode(Script script) {
        boolean clean = "clean".equals(script.options().get("deck")), fixed = "fixed".equals(script.options().get("manilhas"));
        if (clean && fixed) throw new IllegalArgumentException("miniTruco has no mode with a clean deck and fixed manilhas");
        return script.variant().equals("mineiro") ? "M" : clean ? "L" : fixed ? "V" : "P";
    }

    /** Gives the cards of the script; where there are none, miniTruco's own. */
    static class ScriptedPack extends Baralho {
        final Deque<Carta> cards = new ArrayDeque<>();

        ScriptedPack(boolean clean) { super(clean); }

        @Override
        public Carta sorteiaCarta() {
            if (cards.isEmpty()) return super.sorteiaCarta();
            tiraDoBaralho(cards.peek());
            return cards.poll();
        }
    }

    /** A player, and all that he is told. What everybody is told is noted by the first. */
    static class Assento extends Jogador {
        final String player;
        final Mesa mesa;
        Set<String> known;

        Assento(String player, Mesa mesa) {
            this.player = player;
            this.mesa = mesa;
        }

        void sees() {
            known = names(getCartas());
            if (!partida.modo.isManilhaVelha()) known.add(name(partida.cartaDaMesa));
        }

        void note(Runnable what) {
            if (this != mesa.seats.get(0)) return;
            mesa.changed = true;
            what.run();
        }

        @Override public void inicioPartida(int one, int two) { }
        @Override public void jogoAbortado(int position, int phrase) { }
        @Override public void inicioMao(Jogador opens) {
            sees();
            note(() -> mesa.opens());
        }
        @Override public void vez(Jogador j, boolean mayCover) {
            note(() -> {
                mesa.acting = Set.of(mesa.name(j));
                mesa.mayCover = mayCover;
            });
        }
        @Override public void informaMaoDeX(Carta[] partners) {
            known.addAll(names(partners));
            mesa.decides(player);
        }
        @Override public void decidiuMaoDeX(Jogador j, boolean plays, int phrase) {
            if (plays) sees(); // the clients take the partner's cards off the screen
            note(() -> mesa.acting.remove(mesa.name(j)));
        }
        @Override public void cartaJogada(Jogador j, Carta c) {
            if (!c.isFechada() || j == this) known.add(name(c));
            note(() -> { });
        }
        @Override public void pediuAumentoAposta(Jogador j, int value, int phrase) { note(() -> mesa.asks(j, value)); }
        @Override public void aceitouAumentoAposta(Jogador j, int value, int phrase) { note(() -> mesa.accepted(value)); }
        @Override public void recusouAumentoAposta(Jogador j, int phrase) { note(() -> mesa.acting.remove(mesa.name(j))); }
        @Override public void rodadaFechada(int number, int result, Jogador next) {
            note(() -> {
                mesa.happened.put("trick", result == 3 ? "tie" : mesa.side(result - 1));
                mesa.happened.put("leader", mesa.name(next));
            });
        }
        @Override public void maoFechada(int[] points) { note(() -> mesa.closes(points.clone())); }
        @Override public void jogoFechado(int team, int phrase) { note(() -> mesa.winner = mesa.side(team - 1)); }
    }

    static class Mesa implements Table {
        final Script script;
        final PartidaLocal partida;
        final ScriptedPack pack;
        final List<Assento> seats = new ArrayList<>();
        final Map<String, Object> happened = new HashMap<>();
        Set<String> acting;
        int stake, laid, raises;
        Integer proposal;
        int[] score;
        String winner;
        boolean mayCover, changed, over, open; // over: with this action; open: the script is in this hand

        Mesa(Script script) {
            this.script = script;
            partida = new PartidaLocal(false, false, mode(script));
            pack = new ScriptedPack(partida.modo.isBaralhoLimpo());
            for (String player : script.players()) seats.add(new Assento(player, this));
            for (Assento seat : seats) partida.adiciona(seat);
            script.score().forEach((who, points) -> partida.pontosEquipe[seat(who).getEquipe() - 1] = points.intValue());
            score = partida.pontosEquipe.clone();
        }

        Assento seat(String player) { return seats.stream().filter(seat -> seat.player.equals(player)).findFirst().orElseThrow(); }

        String name(Jogador j) { return ((Assento) j).player; }

        String side(int team) { return seats.get(team).player; }

        // What the players are told

        void opens() {
            stake = partida.modo.valorInicialDaMao();
            proposal = null;
            raises = 0;
            acting = new LinkedHashSet<>();
        }

        void decides(String player) {
            stake = 0; // what the hand will be worth is what is being decided
            acting.add(player);
        }

        void asks(Jogador j, int value) {
            proposal = value;
            raises++;
            acting = new LinkedHashSet<>();
            for (Assento seat : seats) if (seat.getEquipe() != j.getEquipe()) acting.add(seat.player);
        }

        void accepted(int value) {
            stake = value;
            proposal = null;
            acting = Set.of(name(partida.getJogadorDaVez()));
        }

        void closes(int[] points) {
            over = true;
            happened.put("hand", points[0] > score[0] ? side(0) : points[1] > score[1] ? side(1) : "drawn");
            score = points;
        }

        // What the script asks

        void start() {
            set("baralho", pack);
            int dealer = script.players().indexOf(script.dealer());
            invoke("iniciaMao", Jogador.class, seats.get((dealer + 1) % seats.size()));
        }

        /** The cards of a hand have to lie there before it is dealt. */
        void stack(int hand) {
            pack.cards.clear();
            if (hand == script.deals().size()) return;
            Map<String, List<String>> deal = script.deals().get(hand);
            for (Assento seat : seats) for (String each : deal.get(seat.player)) pack.cards.add(card(each));
            for (String vira : deal.getOrDefault("vira", List.of())) pack.cards.add(card(vira));
        }

        @Override
        public boolean layOut(Map<String, List<String>> deal) {
            if (open || winner != null) return false;
            if (laid == 0) {
                stack(0);
                start();
            }
            stack(++laid);
            happened.clear();
            over = false;
            open = true;
            return true;
        }

        @Override
        public Object act(Action action) {
            happened.clear();
            over = changed = false;
            if (!open) return "not-now"; // miniTruco has begun another hand; the script has not
            Assento seat = seat(action.player());
            Object refused = action.say() == null ? play(seat, action) : say(seat, action.say());
            open = !over;
            return refused == null && !changed ? Boolean.TRUE : refused; // what is not permitted is ignored
        }

        Object play(Assento seat, Action action) {
            boolean covered = action.cover() != null;
            if (covered && !mayCover && acting.contains(action.player())) return "not-now"; // so he is told; it would be opened
            Carta wanted = card(covered ? action.cover() : action.play());
            for (Carta held : seat.getCartas()) if (held.equals(wanted)) wanted = held;
            wanted.setFechada(covered); // all as its server does
            partida.jogaCarta(seat, wanted);
            invoke("processaJogada", null, null);
            partida.alguemJogou = false;
            return null;
        }

        Object say(Assento seat, String word) {
            int raise = Math.max(List.of("truco", "seis", "nove", "doze").indexOf(word),
                List.of("truco", "vale-6", "vale-9", "queda").indexOf(word));
            if (raise >= 0) { // one button for all raises: the word has to be the next, and above the last any will do
                if (raise != raises && stake != 12) return "not-offered";
                partida.aumentaAposta(seat);
                return null;
            }
            switch (word) {
                case "aceito", "corro" -> partida.respondeAumento(seat, word.equals("aceito"));
                case "jogo", "fujo" -> partida.decideMaoDeX(seat, word.equals("jogo"));
                default -> { return "not-offered"; }
            }
            return null;
        }

        @Override
        public Map<String, Object> look() {
            Map<String, Object> seen = new HashMap<>(), view = new HashMap<>();
            for (String key : List.of("trick", "leader", "hand")) seen.put(key, happened.get(key));
            if (over) seen.put("leader", null);
            seen.put("winner", winner);
            int[] points = open ? partida.pontosEquipe : score;
            seen.put("score", Map.of(side(0), points[0], side(1), points[1]));
            if (winner != null) seen.put("acting", List.of());
            if (!open) return seen; // the rest is of its next hand
            seen.put("acting", List.copyOf(acting));
            if (stake > 0) seen.put("stake", stake);
            seen.put("proposal", proposal);
            for (Assento seat : seats) view.put(seat.player, List.copyOf(seat.known));
            seen.put("view", view);
            return seen;
        }

        void set(String field, Object value) {
            try {
                Field found = PartidaLocal.class.getDeclaredField(field);
                found.setAccessible(true);
                found.set(partida, value);
            } catch (ReflectiveOperationException error) { throw new IllegalStateException(error); }
        }

        void invoke(String name, Class<?> type, Object argument) {
            try {
                Method found = PartidaLocal.class.getDeclaredMethod(name, type == null ? new Class<?>[0] : new Class<?>[] {type});
                found.setAccessible(true);
                found.invoke(partida, type == null ? new Object[0] : new Object[] {argument});
            } catch (ReflectiveOperationException error) { throw new IllegalStateException(error); }
        }
    }
}
