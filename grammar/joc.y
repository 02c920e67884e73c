/* The grammar of Joc: items, actions, expressions. An action here is one call of a constructor (build.c); what a word means is found out
 * later. Tokens come from layout.c with their brackets balanced and only those line ends that end a statement. At every level of
 * statements one rule takes what is faulty: slips.c has said so, and the tokens up to the statement's end are passed over.
 *
 * Five choices are made by precedence, each for the nearer word: `else` goes with the last `if`, `along` and `from` with the last `reach`
 * or `line`, `to` with the last `from` of a line, and a comma behind `over P` goes on with the pattern. */
%code requires { #include "parse.h" }
%define api.prefix {joc_}
%define api.pure full
%define api.location.type {span}
%define api.token.prefix {TOKEN_}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { parse *p }
%initial-action { @$ = (span){ p->source, 0, 0 }; }
%union { const char *text; node *node; }
%code provides {
    int joc_lex(JOC_STYPE *value, span *at, parse *p);
    void joc_error(const span *at, parse *p, const char *what);
}
%code {
    #define YYLLOC_DEFAULT(now, rhs, n) ((now).source = p->source, \
        (now).from = (n) ? YYRHSLOC(rhs, 1).from : YYRHSLOC(rhs, 0).to, (now).to = (n) ? YYRHSLOC(rhs, n).to : YYRHSLOC(rhs, 0).to)
    #define YYMAXDEPTH 20000
    #define KIDS(...) (int)(sizeof((node *[]){__VA_ARGS__}) / sizeof(node *)), (node *[]){__VA_ARGS__}
    #define NODE(kind, at, text, ...) node_make(p, NODE_##kind, at, text, KIDS(__VA_ARGS__))
    #define LEAF(kind, at, text) node_make(p, NODE_##kind, at, text, 0, NULL)
    #define LIST(kind, at, first) node_add(p, LEAF(kind, at, NULL), first)
    #define BOTH(a, b) (span){ (a).source, (a).from, (b).to }
    #define PASS_OVER() (yyclearin, yyerrok, p->next = faulty_token(p), p->passing = true)

    enum { STUCK_SOME = 20, STUCK_MAX = 60 };

    /* Where to go on after a fault: at the token where it was found; behind it, if faults come back there again and again. */
    static size_t faulty_token(parse *p)
    {
        if (p->current != p->stuck_at) { p->stuck_at = p->current; p->stuck = 0; }
        return p->current + (++p->stuck > STUCK_SOME && p->current < p->list.count);
    }
}

%token END_OF_FILE 0 "the end of the file" NEWLINE "the end of the line" BAR "'|'" DOTS "'..'"
%token <text> NAME "a name" FUNCTION "a call" NUMBER "a number" STRING "a text" COMPARE "a comparison" CHANGE "'+='"
%token <text> GAME VARIANT PLAYERS BOARD WITHOUT JOINED NAMED PIECE ZONE STACK SEEN KEEP ASIDE LET TRACK DICE OPTION PRESET SETUP TURN ABOUT MARK
%token <text> WIN LOSE DRAW END ILLEGAL PREFER SCORE WHEN IF ELSE UNTIL EACH BY PICK RANDOM ROLL AGAIN PASS COMMIT
%token <text> STEP SLIDE DROP OVER TO TAKE PLACE SEND UNDER ON BECOMES WRITTEN
%token <text> AND OR NOT IN OF WHERE ANY NO COUNT ALWAYS REACH THROUGH ALONG LINE TOP BOTTOM FROM CAN
%token <text> REPLACE TEST AFTER LEGAL EXPECT
%token THEN_LINES THEN_RULES THEN_CHECKS

%type <node> items item players player shape picture row pixel clauses clause namings naming kinds kind worth rules rule seen
%type <node> owner type start value values given needs meaning settings setting params names path_owner
%type <node> block lines line conditional action choice sequence single loop until decision filter winner condition leg way over
%type <node> patterns pattern sets sets_and target effect checks placed checked position check
%type <node> expression disjunction conjunction question sum product unary term words ending image closure factor atom operand primary
%type <node> range depends length along list parts part
%type <text> letter facing random aside label of_player postfix

%precedence NEAREST
%precedence ELSE ALONG FROM TO ','

%%
file: %empty                            { p->tree->root = LEAF(FILE, @$, NULL); }
    | items                             { p->tree->root = $1; } ;

/* ---- items: what a file declares ---- */
items: item                             { $$ = LIST(FILE, @$, $1); }
     | items NEWLINE item               { $$ = node_add(p, $1, $3); } ;
item: GAME STRING                       { $$ = LEAF(I_GAME, @$, $2); }
    | VARIANT STRING OF STRING          { $$ = NODE(I_VARIANT, @$, $2, LEAF(E_TEXT, @4, $4)); }
    | PLAYERS players                   { $$ = node_join(p, NODE(I_PLAYERS, @$, NULL, NULL), $2); }
    | PLAYERS range OF players          { $$ = node_join(p, NODE(I_PLAYERS, @$, NULL, $2), $4); }
    | BOARD NAME shape clauses          { $$ = make_board(p, @$, $2, $3, $4); }
    | PIECE kinds seen                  { $$ = NODE(I_PIECE, @$, NULL, $2, $3); }
    | PIECE kinds seen '{' '}'          { $$ = NODE(I_PIECE, @$, NULL, $2, $3); }
    | PIECE kinds seen '{' rules '}'    { $$ = node_join(p, NODE(I_PIECE, @$, NULL, $2, $3), $5); }
    | ZONE NAME of_player seen          { $$ = with_more(NODE(I_ZONE, @$, $2, $4), $3); }
    | STACK primary ON expression       { $$ = NODE(I_STACK, @$, NULL, $2, $4); }
    | STACK primary OF ANY ON expression { $$ = with_more(NODE(I_STACK, @$, NULL, $2, $6), $4); }
    | KEEP NAME owner type start seen aside { $$ = make_keep(p, @$, $2, $3, $4, $5, $6, $7); }
    | LET NAME path_owner '=' expression { $$ = with_more(NODE(I_LET, @$, $2, NULL, $5), $3 ? $3->text : NULL); }
    | LET FUNCTION params '=' expression { $$ = NODE(I_LET, @$, $2, $3, $5); }
    | TRACK NAME path_owner '=' list    { $$ = with_more(node_join(p, LEAF(I_TRACK, @$, $2), $5), $3 ? $3->text : NULL); }
    | DICE NAME '=' list                { $$ = node_join(p, LEAF(I_DICE, @$, $2), $4); }
    | OPTION NAME '=' value given needs meaning { $$ = make_option(p, @$, $2, $4, $5, $6, $7); }
    | PRESET NAME meaning '{' '}'       { $$ = NODE(I_PRESET, @$, $2, $3); }
    | PRESET NAME meaning '{' settings '}' { $$ = node_join(p, NODE(I_PRESET, @$, $2, $3), $5); }
    | SETUP block                       { $$ = NODE(I_SETUP, @$, NULL, $2); }
    | TURN block                        { $$ = NODE(I_TURN, @$, NULL, $2); }
    | ABOUT block                       { $$ = NODE(I_ABOUT, @$, NULL, $2); }
    | MARK STRING letter ON expression meaning { $$ = with_more(NODE(I_MARK, @$, $2, $5, $6), $3); }
    | MARK STRING letter WITHOUT expression meaning { $$ = with_more(NODE(I_GAPS, @$, $2, $5, $6), $3); }
    | SCORE expression                  { $$ = NODE(I_SCORE, @$, NULL, $2); }
    | WIN winner WHEN expression        { $$ = NODE(I_END, @$, $1, $2, $4); }
    | LOSE winner WHEN expression       { $$ = NODE(I_END, @$, $1, $2, $4); }
    | DRAW WHEN expression              { $$ = NODE(I_END, @$, $1, NULL, $3); }
    | END WHEN expression               { $$ = NODE(I_END, @$, $1, NULL, $3); }
    | ILLEGAL WHEN expression           { $$ = NODE(I_END, @$, $1, NULL, $3); }
    | label line                        { $$ = make_rule(p, @$, $1, NULL, $2, true); }
    | FUNCTION params ':' line          { $$ = make_rule(p, @$, $1, $2, $4, true); }
    | REPLACE item                      { $$ = NODE(I_REPLACE, @$, NULL, $2); }
    | WITHOUT NAME                      { $$ = LEAF(I_WITHOUT, @$, $2); }
    | WITHOUT WIN                       { $$ = LEAF(I_WITHOUT, @$, $2); }
    | WITHOUT LOSE                      { $$ = LEAF(I_WITHOUT, @$, $2); }
    | WITHOUT DRAW                      { $$ = LEAF(I_WITHOUT, @$, $2); }
    | WITHOUT END                       { $$ = LEAF(I_WITHOUT, @$, $2); }
    | WITHOUT ILLEGAL                   { $$ = LEAF(I_WITHOUT, @$, $2); }
    | TEST STRING '{' '}'               { $$ = LEAF(I_TEST, @$, $2); }
    | TEST STRING '{' checks '}'        { $$ = node_join(p, LEAF(I_TEST, @$, $2), $4); }
    | error faulty                      { $$ = LEAF(BROKEN, @$, NULL); } ;

players: player                         { $$ = LIST(I_PLAYERS, @$, $1); }
       | players ',' player             { $$ = node_add(p, $1, $3); } ;
player: NAME facing                     { $$ = with_more(LEAF(PLAYER, @$, $1), $2); } ;
facing: %empty                          { $$ = NULL; }
      | NAME ;
shape: %empty                           { $$ = LEAF(I_BOARD, @$, NULL); }
     | sum                              { $$ = LIST(I_BOARD, @$, $1); }
     | sum BY sum                       { $$ = NODE(I_BOARD, @$, NULL, $1, $3); }
     | STRING                           { $$ = LIST(I_BOARD, @$, LEAF(E_TEXT, @1, $1)); }
     | '{' picture '}'                  { $$ = LIST(I_BOARD, @$, $2); } ;
picture: row                            { $$ = LIST(PICTURE, @$, $1); }
       | picture NEWLINE row            { $$ = node_add(p, $1, $3); } ;
row: pixel                              { $$ = LIST(PICTURE_ROW, @$, $1); }
   | row pixel                          { $$ = node_add(p, $1, $2); }
   | row DOTS                           { $$ = node_add(p, node_add(p, $1, LEAF(PIXEL, @2, intern(p->tree, ".", 1))), LEAF(PIXEL, @2, intern(p->tree, ".", 1))); }
   | error faulty                       { $$ = LEAF(PICTURE_ROW, @$, NULL); } ;
pixel: NAME                             { $$ = LEAF(PIXEL, @$, $1); }
     | '.'                              { $$ = LEAF(PIXEL, @$, intern(p->tree, ".", 1)); }
     | '-'                              { $$ = LEAF(PIXEL, @$, intern(p->tree, "-", 1)); } ;
clauses: %empty                         { $$ = LEAF(I_BOARD, @$, NULL); }
       | clauses clause                 { $$ = node_add(p, $1, $2); } ;
clause: WITHOUT expression              { $$ = NODE(I_WITHOUT, @$, NULL, $2); }
      | JOINED expression               { $$ = NODE(I_BOARD, @$, NULL, $2); }
      | NAMED namings                   { $$ = $2; } ;
namings: naming                         { $$ = LIST(NAMING, @$, $1); }
       | namings ',' naming             { $$ = node_add(p, $1, $3); } ;
naming: expression                      { $$ = NODE(NAMING, @$, NULL, $1); }
      | expression STRING               { $$ = NODE(NAMING, @$, $2, $1); } ;
kinds: kind                             { $$ = LIST(KINDS, @$, $1); }
     | kinds ',' kind                   { $$ = node_add(p, $1, $3); } ;
kind: NAME worth letter                 { $$ = with_more(NODE(KIND, @$, $1, $2), $3); } ;
worth: %empty                           { $$ = NULL; }
     | NUMBER                           { $$ = make_number(p, @$, $1); }
     | NUMBER DOTS primary              { $$ = NODE(E_RANGE, @$, NULL, make_number(p, @1, $1), $3); }
     | '(' depends ')'                  { $$ = bracketed($2, @$); } ;
letter: %empty                          { $$ = NULL; }
      | STRING ;
rules: rule                             { $$ = LIST(I_PIECE, @$, $1); }
     | rules NEWLINE rule               { $$ = node_add(p, $1, $3); } ;
rule: label line                        { $$ = make_rule(p, @$, $1, NULL, $2, false); }
    | FUNCTION params ':' line          { $$ = make_rule(p, @$, $1, $2, $4, false); }
    | error faulty                      { $$ = LEAF(BROKEN, @$, NULL); } ;
label: NAME ':' ;
params: '(' names ')'                   { $$ = $2; } ;
names: NAME                             { $$ = LIST(PARAMS, @$, LEAF(E_NAME, @1, $1)); }
     | names ',' NAME                   { $$ = node_add(p, $1, LEAF(E_NAME, @3, $3)); } ;
of_player: %empty                       { $$ = NULL; }
         | OF NAME                      { $$ = $2; } ;
path_owner: %empty                      { $$ = NULL; }
          | OF NAME                     { $$ = LEAF(PLAYER, @$, $2); } ;
owner: %empty                           { $$ = NULL; }
     | OF NAME                          { $$ = LEAF(PLAYER, @2, $2); }
     | OF PIECE                         { $$ = LEAF(PLAYER, @2, $2); }
     | OF TURN                          { $$ = with_flags(LEAF(PLAYER, @2, NULL), FLAG_TURN); }
     | OF NAME OF TURN                  { $$ = with_flags(LEAF(PLAYER, @2, $2), FLAG_TURN); }
     | OF PIECE OF TURN                 { $$ = with_flags(LEAF(PLAYER, @2, $2), FLAG_TURN); } ;
type: %empty                            { $$ = NULL; }
    | sum
    | IN sum                            { $$ = with_flags($2, FLAG_IN); } ;
start: %empty                           { $$ = NULL; }
     | '=' value                        { $$ = $2; } ;
seen: %empty                            { $$ = NULL; }
    | SEEN BY NAME                      { $$ = LEAF(SEEN, @$, $3); } ;
aside: %empty                           { $$ = NULL; }
     | ASIDE ;
value: sum
     | NO                               { $$ = LEAF(E_NAME, @$, $1); } ;
values: value                           { $$ = LIST(VALUES, @$, $1); }
      | values ',' value                { $$ = node_add(p, $1, $3); } ;
given: %empty                           { $$ = NULL; }
     | IN values                        { $$ = $2; } ;
needs: %empty                           { $$ = NULL; }
     | WHEN expression                  { $$ = $2; } ;
meaning: %empty                         { $$ = NULL; }
       | STRING                         { $$ = LEAF(E_TEXT, @$, $1); } ;
settings: setting                       { $$ = LIST(I_PRESET, @$, $1); }
        | settings NEWLINE setting      { $$ = node_add(p, $1, $3); } ;
setting: NAME '=' value                 { $$ = NODE(T_OPTION, @$, $1, $3); }
       | error faulty                   { $$ = LEAF(BROKEN, @$, NULL); } ;

/* ---- actions: what is done, chosen, tried in order, repeated ---- */
block: '{' lines '}'                    { $$ = make_block(p, @$, $2); }
     | '{' '}'                          { $$ = LEAF(A_NOTHING, @$, NULL); } ;
lines: line                             { $$ = LIST(A_SEQUENCE, @$, $1); }
     | lines NEWLINE line               { $$ = node_add(p, $1, $3); } ;
line: action
    | error faulty                      { $$ = LEAF(BROKEN, @$, NULL); } ;
action: choice
      | choice ELSE action              { $$ = NODE(A_ELSE, @$, NULL, $1, $3); } ;
choice: sequence
      | choice '|' sequence             { $$ = make_choice(p, @$, $1, $3, false, @2); }
      | choice BAR sequence             { $$ = make_choice(p, @$, $1, $3, true, @2); } ;
sequence: single
        | sequence ',' single           { $$ = make_flat(p, NODE_A_SEQUENCE, @$, $1, $3); } ;
single: block                           { $$ = with_flags($1, FLAG_BRACES); }
      | conditional | loop | leg | effect | decision | filter
      | label filter                    { $$ = with_more($2, $1); }
      | WIN winner condition            { $$ = NODE(A_RESULT, @$, $1, $2, $3); }
      | LOSE winner condition           { $$ = NODE(A_RESULT, @$, $1, $2, $3); }
      | DRAW condition                  { $$ = NODE(A_RESULT, @$, $1, NULL, $2); }
      | END condition                   { $$ = NODE(A_RESULT, @$, $1, NULL, $2); }
      | STRING                          { $$ = LEAF(A_RANK, @$, $1); } ;
winner: %empty                          { $$ = NULL; }
      | term ;
condition: %empty                       { $$ = NULL; }
         | WHEN expression              { $$ = $2; } ;
conditional: IF expression block %prec NEAREST      { $$ = make_if(p, @$, $2, $3, NULL); }
           | IF expression block ELSE block         { $$ = make_if(p, @$, $2, $3, $5); }
           | IF expression block ELSE conditional   { $$ = make_if(p, @$, $2, $3, $5); } ;
loop: block postfix until               { $$ = NODE(A_LOOP, @$, $2, $1, $3); }
    | EACH random NAME IN expression block { $$ = with_flags(NODE(A_EACH, @$, $3, $5, $6), $2 ? FLAG_RANDOM : 0); }
    | BY expression block               { $$ = NODE(A_BY, @$, NULL, $2, $3); } ;
postfix: '*'                            { $$ = intern(p->tree, "*", 1); }
       | '+'                            { $$ = intern(p->tree, "+", 1); }
       | '?'                            { $$ = intern(p->tree, "?", 1); } ;
until: %empty                           { $$ = NULL; }
     | UNTIL expression                 { $$ = $2; } ;
random: %empty                          { $$ = NULL; }
      | RANDOM ;
decision: PICK random NAME IN expression { $$ = with_flags(NODE(A_PICK, @$, $3, $5), $2 ? FLAG_RANDOM : 0); }
        | ROLL term                     { $$ = NODE(A_ROLL, @$, NULL, $2); }
        | AGAIN                         { $$ = LEAF(A_AGAIN, @$, NULL); }
        | PASS                          { $$ = LEAF(A_PASS, @$, NULL); }
        | COMMIT                        { $$ = LEAF(A_COMMIT, @$, NULL); } ;
filter: WHEN expression                 { $$ = NODE(A_WHEN, @$, NULL, $2); }
      | PREFER expression               { $$ = NODE(A_PREFER, @$, NULL, $2); }
      | ILLEGAL condition               { $$ = NODE(A_ILLEGAL, @$, NULL, $2); } ;
leg: STEP way over target               { $$ = NODE(A_STEP, @$, NULL, $2, $3, $4); }
   | SLIDE way TO expression            { $$ = NODE(A_SLIDE, @$, NULL, $2, $4); }
   | DROP expression TO expression      { $$ = NODE(A_DROP, @$, NULL, $2, $4); } ;
way: %empty                             { $$ = NULL; }
   | expression ;
over: %empty                            { $$ = NULL; }
    | OVER patterns %prec NEAREST       { $$ = $2; } ;
patterns: pattern                       { $$ = LIST(OVER, @$, $1); }
        | patterns ',' pattern          { $$ = node_add(p, $1, $3); } ;
pattern: sets                    { $$ = NODE(PATTERN, @$, intern(p->tree, "1", 1), $1); }
       | sets postfix            { $$ = NODE(PATTERN, @$, $2, $1); }
       | sets WHERE expression   { $$ = NODE(PATTERN, @$, intern(p->tree, "1", 1), make_where(p, @$, $1, $3)); } ;
sets: sets_and
           | sets OR sets_and { $$ = make_flat(p, NODE_E_OR, @$, $1, $3); } ;
sets_and: term
           | sets_and AND term       { $$ = make_flat(p, NODE_E_AND, @$, $1, $3); } ;
target: %empty                          { $$ = NULL; }
      | TO expression                   { $$ = $2; } ;
effect: TAKE expression                 { $$ = NODE(A_TAKE, @$, NULL, $2); }
      | PLACE expression ON expression  { $$ = NODE(A_PLACE, @$, NULL, $2, $4); }
      | SEND expression TO expression   { $$ = NODE(A_SEND, @$, $3, $2, $4); }
      | SEND expression UNDER expression { $$ = NODE(A_SEND, @$, $3, $2, $4); }
      | SEND expression ALONG expression { $$ = NODE(A_SEND, @$, $3, $2, $4); }
      | LET NAME '=' expression         { $$ = NODE(A_LET, @$, $2, $4); }
      | WRITTEN parts                   { $$ = node_join(p, LEAF(A_WRITTEN, @$, NULL), $2); }
      | sets BECOMES expression  { $$ = NODE(A_BECOMES, @$, NULL, $1, $3); }
      | sets BECOMES SEEN BY term { $$ = NODE(A_SEEN, @$, NULL, $1, $5); }
      | term '=' expression             { $$ = NODE(A_SET, @$, intern(p->tree, "=", 1), $1, $3); }
      | term '=' NO                     { $$ = NODE(A_SET, @$, intern(p->tree, "=", 1), $1, LEAF(E_NAME, @3, $3)); }
      | term CHANGE expression          { $$ = NODE(A_SET, @$, $2, $1, $3); }
      | term                            { $$ = make_do(p, @$, $1); } ;

parts: part                             { $$ = LIST(A_WRITTEN, @$, $1); }
     | parts part                       { $$ = node_add(p, $1, $2); } ;
part: STRING                            { $$ = LEAF(E_TEXT, @$, $1); }
    | primary
    | '(' expression ALONG term ')'     { $$ = NODE(ALONG, @$, NULL, $2, $4); } ;

/* ---- expressions: sets of cells, directions, numbers, truth ---- */
expression: disjunction
          | disjunction WHERE expression { $$ = make_where(p, @$, $1, $3); } ;
disjunction: conjunction
           | disjunction OR conjunction { $$ = make_flat(p, NODE_E_OR, @$, $1, $3); } ;
conjunction: question
           | conjunction AND question   { $$ = make_flat(p, NODE_E_AND, @$, $1, $3); } ;
question: sum
        | sum COMPARE sum               { $$ = make_question(p, NODE_E_COMPARE, @$, $2, $1, $3); }
        | sum '=' sum                   { $$ = make_question(p, NODE_E_COMPARE, @$, intern(p->tree, "=", 1), $1, $3); }
        | sum IN sum                    { $$ = make_question(p, NODE_E_IN, @$, NULL, $1, $3); }
        | sum FROM sum                  { $$ = make_question(p, NODE_E_FROM, @$, NULL, $1, $3); } ;
sum: product
   | sum '+' product                    { $$ = make_arithmetic(p, @$, intern(p->tree, "+", 1), $1, $3); }
   | sum '-' product                    { $$ = make_arithmetic(p, @$, intern(p->tree, "-", 1), $1, $3); } ;
product: unary
       | product '*' unary              { $$ = make_arithmetic(p, @$, intern(p->tree, "*", 1), $1, $3); }
       | product '/' unary              { $$ = make_arithmetic(p, @$, intern(p->tree, "/", 1), $1, $3); }
       | product '%' unary              { $$ = make_arithmetic(p, @$, intern(p->tree, "%", 1), $1, $3); } ;
unary: term
     | COUNT term                       { $$ = NODE(E_COUNT, @$, NULL, $2); }
     | ANY term                         { $$ = NODE(E_ANY, @$, NULL, $2); }
     | NO term                          { $$ = NODE(E_NO, @$, NULL, $2); }
     | ALWAYS term                      { $$ = NODE(E_ALWAYS, @$, NULL, $2); }
     | NOT COUNT term                   { $$ = NODE(E_NOT, @$, NULL, NODE(E_COUNT, BOTH(@2, @3), NULL, $3)); }
     | NOT ANY term                     { $$ = NODE(E_NOT, @$, NULL, NODE(E_ANY, BOTH(@2, @3), NULL, $3)); }
     | NOT NO term                      { $$ = NODE(E_NOT, @$, NULL, NODE(E_NO, BOTH(@2, @3), NULL, $3)); }
     | NOT ALWAYS term                  { $$ = NODE(E_NOT, @$, NULL, NODE(E_ALWAYS, BOTH(@2, @3), NULL, $3)); }
     | '-' unary                        { $$ = make_minus(p, @$, $2); } ;
term: words
    | ending
    | words ending                      { $$ = make_row(p, @$, $1, $2); } ;
words: factor
     | words factor                     { $$ = make_row(p, @$, $1, $2); } ;
factor: atom
      | NOT atom                        { $$ = NODE(E_NOT, @$, NULL, $2); }
      | NOT '-' primary                 { $$ = NODE(E_NOT, @$, NULL, NODE(E_MINUS, BOTH(@2, @3), NULL, $3)); } ;
ending: image
      | NOT image                       { $$ = NODE(E_NOT, @$, NULL, $2); }
      | closure
      | NOT closure                     { $$ = NODE(E_NOT, @$, NULL, $2); } ;
image: atom OF term                     { $$ = make_of(p, @$, $1, $3); } ;
closure: REACH term THROUGH term along  { $$ = NODE(E_REACH, @$, NULL, $2, $4, $5); }
       | LINE length OF term along      { $$ = NODE(E_LINE, @$, NULL, $2, $4, NULL, NULL, $5); }
       | LINE length OF term FROM term TO term along { $$ = NODE(E_LINE, @$, NULL, $2, $4, $6, $8, $9); }
       | LINE length OF term FROM term along { $$ = NODE(E_LINE, @$, NULL, $2, $4, $6, NULL, $7); }
       | TOP primary OF term            { $$ = NODE(E_TOP, @$, $1, $2, $4); }
       | BOTTOM primary OF term         { $$ = NODE(E_TOP, @$, $1, $2, $4); } ;
length: %empty                          { $$ = NULL; }
      | operand ;
along: %empty %prec NEAREST             { $$ = NULL; }
     | ALONG term                       { $$ = $2; }
     | ALONG '-' primary                { $$ = NODE(E_MINUS, BOTH(@2, @3), NULL, $3); } ;
atom: operand
    | CAN NAME                          { $$ = LEAF(E_CAN, @$, $2); } ;
operand: primary | range ;
range: primary DOTS primary             { $$ = NODE(E_RANGE, @$, NULL, $1, $3); } ;
primary: NAME                           { $$ = LEAF(E_NAME, @$, $1); }
       | NUMBER                         { $$ = make_number(p, @$, $1); }
       | '(' depends ')'                { $$ = bracketed($2, @$); }
       | FUNCTION '(' list ')'          { $$ = node_join(p, LEAF(E_CALL, @$, $1), $3); } ;
depends: expression
       | expression WHEN expression     { $$ = NODE(E_WHEN, @$, NULL, $1, $3, NULL); }
       | expression WHEN expression ELSE depends { $$ = NODE(E_WHEN, @$, NULL, $1, $3, $5); } ;
list: expression                        { $$ = LIST(VALUES, @$, $1); }
    | list ',' expression               { $$ = node_add(p, $1, $3); } ;

/* ---- what is left of a faulty statement: its blocks are read for their own faults ---- */
faulty: %empty                          { PASS_OVER(); if (p->stuck > STUCK_MAX) YYABORT; }
      | faulty THEN_LINES block
      | faulty THEN_RULES '{' '}'
      | faulty THEN_RULES '{' rules '}'
      | faulty THEN_CHECKS '{' '}'
      | faulty THEN_CHECKS '{' checks '}' ;

/* ---- tests ---- */
checks: placed
      | checked ;
placed: position                        { $$ = LIST(I_TEST, @$, $1); }
      | checks NEWLINE position         { $$ = node_add(p, $1, $3); }
      | placed position                 { $$ = node_add(p, $1, $2); } ;
checked: check                          { $$ = LIST(I_TEST, @$, $1); }
       | checks NEWLINE check           { $$ = node_add(p, $1, $3); }
       | placed check                   { $$ = node_add(p, $1, $2); } ;
position: TURN NAME block               { $$ = NODE(T_AT, @$, $2, $3); } ;
check: AFTER STRING                     { $$ = LEAF(T_AFTER, @$, $2); }
     | LEGAL STRING                     { $$ = LEAF(T_LEGAL, @$, $2); }
     | ILLEGAL STRING                   { $$ = LEAF(T_ILLEGAL, @$, $2); }
     | ILLEGAL STRING BY NAME           { $$ = NODE(T_ILLEGAL, @$, $2, LEAF(E_NAME, @4, $4)); }
     | OPTION NAME '=' value            { $$ = NODE(T_OPTION, @$, $2, $4); }
     | PRESET NAME                      { $$ = LEAF(T_PRESET, @$, $2); }
     | EXPECT expression                { $$ = NODE(T_EXPECT, @$, NULL, $2); }
     | error faulty                      { $$ = LEAF(BROKEN, @$, NULL); } ;
%%

int joc_lex(JOC_STYPE *value, span *at, parse *p)
{
    if (p->d->errors - p->errors_before > p->d->limit) {        /* nothing more would be told */
        p->next = p->list.count;
        p->passing = false;
    }
    if (p->passing) {
        int announced = pass_over(p);
        if (announced) {
            *at = token_span(p, p->next);
            return announced;
        }
    }
    p->current = p->next < p->list.count ? p->next++ : p->list.count;
    *at = token_span(p, p->current);
    value->text = NULL;
    if (p->current == p->list.count)
        return TOKEN_END_OF_FILE;
    token t = p->list.items[p->current];
    value->text = token_text(p, t);
    p->passing = t.broken;
    return t.kind;
}

void joc_error(const span *at, parse *p, const char *what)
{
    (void)what;          /* the parser has only one fault of its own: its stack is full */
    diag_add(p->d, "E0105", *at, "this is nested too deeply");
}

/* Hands what was found and what would fit to slips.c, in tokens. */
static int yyreport_syntax_error(const yypcontext_t *context, parse *p)
{
    yysymbol_kind_t symbols[YYNTOKENS];
    int kinds[YYNTOKENS], symbol_count = yypcontext_expected_tokens(context, symbols, YYNTOKENS), count = 0;
    for (int kind = 0; kind < TOKEN_THEN_LINES; kind++)
        for (int i = 0; i < symbol_count; i++)
            if (YYTRANSLATE(kind) == symbols[i] && symbols[i] != YYSYMBOL_YYUNDEF && kind != TOKEN_JOC_error)
                kinds[count++] = kind;
    report_slip(p, kinds, count);
    return 0;
}
