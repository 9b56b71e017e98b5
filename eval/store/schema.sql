-- An experiment: what was asked for, and what came of it. docs/experiments.md says it in words.
-- Lists and mappings are JSON. Text that is no Unicode is a BLOB. Times are UTC.

CREATE TABLE about (  -- the set, versions, the command line: whatever was told when it was made
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE conditions (  -- the same for all attempts; as JSON
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE instances (  -- the rows of the set, in its order
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    repo TEXT NOT NULL,
    base TEXT NOT NULL,
    problem TEXT NOT NULL,
    hints TEXT NOT NULL,
    patch TEXT NOT NULL,
    test_patch TEXT NOT NULL,
    fail_to_pass TEXT NOT NULL,
    pass_to_pass TEXT NOT NULL,
    version TEXT NOT NULL,
    environment_commit TEXT NOT NULL,
    created TEXT NOT NULL,
    install TEXT NOT NULL,
    test_command TEXT NOT NULL,
    python TEXT NOT NULL
);

CREATE TABLE arms (  -- ways of solving
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    profile TEXT NOT NULL,
    without TEXT NOT NULL,
    budget TEXT NOT NULL
);

CREATE TABLE attempts (  -- all there are to be, whether they were begun or not
    id INTEGER PRIMARY KEY,
    instance TEXT NOT NULL REFERENCES instances (id),
    arm TEXT NOT NULL REFERENCES arms (name),
    number INTEGER NOT NULL,  -- of the try, from 1
    folder TEXT NOT NULL UNIQUE,  -- below the experiment's
    UNIQUE (instance, arm, number)
);

CREATE TABLE solves (  -- attempts whose run has ended
    attempt INTEGER PRIMARY KEY REFERENCES attempts (id),
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    patch TEXT NOT NULL,
    seconds REAL NOT NULL,  -- of the worker
    cpu_s REAL NOT NULL,
    verdict TEXT,  -- of a fault, and so on; NULL: there was none
    kind TEXT,
    reason TEXT,
    infrastructure INTEGER NOT NULL,  -- 1: it is to be done again
    stop TEXT NOT NULL,  -- how the run ended
    steps INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    reply_tokens INTEGER NOT NULL,
    cached INTEGER NOT NULL,  -- of the prompt tokens
    cost REAL,  -- NULL: no price is known
    run_seconds REAL NOT NULL,  -- of its steps
    repairs INTEGER NOT NULL,
    unreadable INTEGER NOT NULL,
    compressions INTEGER NOT NULL,
    backtracks INTEGER NOT NULL,
    retracted INTEGER NOT NULL,
    stuck INTEGER NOT NULL
);

CREATE TABLE grades (  -- attempts that were judged
    attempt INTEGER PRIMARY KEY REFERENCES attempts (id),
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    verdict TEXT NOT NULL,
    kind TEXT NOT NULL,  -- why it is not resolved
    step INTEGER NOT NULL,  -- that shows it; 0: none does
    reason TEXT NOT NULL,
    infrastructure INTEGER NOT NULL,  -- 1: it is to be done again
    fixed TEXT NOT NULL,  -- of FAIL_TO_PASS, that pass
    not_fixed TEXT NOT NULL,
    kept TEXT NOT NULL,  -- of PASS_TO_PASS, that pass
    broken TEXT NOT NULL,
    seconds REAL NOT NULL
);

CREATE TABLE calls (  -- counted
    attempt INTEGER NOT NULL REFERENCES attempts (id),
    what TEXT NOT NULL,  -- calls, failed, hidden, wishes
    name TEXT NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (attempt, what, name)
) WITHOUT ROWID;

CREATE TABLE parts (  -- tokens of all prompts, by what they were for
    attempt INTEGER NOT NULL REFERENCES attempts (id),
    part TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (attempt, part)
) WITHOUT ROWID;

CREATE VIEW results AS  -- a line for each attempt; without a verdict where it is not done
SELECT attempts.id AS attempt, instances.place, instance, repo, arms.place AS arm_place, arm,
    arms.model, number, folder,
    coalesce(solves.verdict, grades.verdict) AS verdict,
    coalesce(solves.kind, grades.kind) AS kind,
    coalesce(grades.step, 0) AS step,
    coalesce(solves.reason, grades.reason) AS reason,
    coalesce(solves.infrastructure OR grades.infrastructure, 0) AS infrastructure,
    stop, steps, prompt_tokens, reply_tokens, cached, cost, run_seconds, repairs, unreadable,
    compressions, backtracks, retracted, stuck,
    fixed, not_fixed, kept, broken, solves.patch, solves.seconds AS solve_seconds, cpu_s,
    grades.seconds AS grade_seconds
FROM attempts JOIN instances ON instances.id = instance JOIN arms ON arms.name = arm
LEFT JOIN solves ON solves.attempt = attempts.id LEFT JOIN grades ON grades.attempt = attempts.id;
