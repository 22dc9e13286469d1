interface ImportedFile {
  about: string
  text: string
  /** Names of the cases, or what is wrong. */
  cases: string[] | string
  /** The assertions that run, as types, of all cases together with those of the default test. */
  runs?: string[]
  /** What is kept but not run: where, and why. */
  kept?: [at: string, reason: string][]
}

const CODE = 'It runs code, which is not supported here'
const FILES = 'Other files are not supported here'
const TARGETS = 'Targets are chosen when an evaluation starts'
const PROMPT = 'The prompt is the one here'
const CHANGED = 'Code changes the answer first, which is not supported here'

/** Twenty kinds of configurations, as people have them. */
export const FILES_OF_PROMPTFOO: ImportedFile[] = [
  {
    about: 'the first example of its documentation',
    text: `prompts: [file://prompts.txt]
providers: [openai:gpt-5-mini, anthropic:messages:claude-haiku]
tests:
  - description: First test case
    vars: { var1: first variable's value, var2: another value }
    assert:
      - type: equals
        value: expected output
  - vars: { var1: second, var2: 7 }
    assert: [{ type: contains, value: '{{var1}} and {{ var2 }}' }]
`,
    cases: ['First test case', 'second · 7'],
    runs: ['equals', 'contains'],
    kept: [
      ['prompts', PROMPT],
      ['providers', TARGETS],
    ],
  },
  {
    about: 'JSON',
    text: '{"description":"J","tests":[{"vars":{"a":"x"},"assert":[{"type":"is-json"}]}]}',
    cases: ['x'],
    runs: ['is-json'],
  },
  {
    about: 'a list of tests alone',
    text: '- vars: {a: x}\n  assert: [{type: icontains, value: X}]\n',
    cases: ['x'],
    runs: ['icontains'],
  },
  {
    about: 'lists of values, which make combinations',
    text: 'tests:\n  - description: all\n    vars: {a: [x, y], b: [1, 2], c: [p, q]}\n',
    cases: ['all (1)', 'all (2)', 'all (3)', 'all (4)'],
  },
  {
    about: 'lists that are to stay lists',
    text: 'tests:\n  - description: one\n    vars: {a: [x, y]}\n    options: {disableVarExpansion: true}\n',
    cases: ['one'],
  },
  {
    about: 'a default test with values, assertions and a threshold',
    text: `defaultTest:
  vars: { tone: warm, who: [Ada, Eva] }
  threshold: 0.5
  assert: [{ type: latency, threshold: 2000 }, { type: javascript, value: 'true' }]
tests:
  - vars: { topic: tea }
  - description: without
    vars: { who: Bob }
    options: { disableDefaultAsserts: true }
`,
    cases: ['Ada · tea', 'Eva · tea', 'without'],
    runs: ['latency'],
    kept: [['assert.1', CODE]],
  },
  {
    about: 'templates of assertions',
    text: `assertionTemplates:
  short: { type: word-count, value: { max: 50 } }
tests:
  - description: short
    assert: [{ $ref: '#/assertionTemplates/short' }, { $ref: '#/assertionTemplates/short', weight: 2 }]
`,
    cases: ['short'],
    runs: ['word-count', 'word-count'],
  },
  {
    about: 'anchors and merged keys',
    text: `x: &polite { type: llm-rubric, value: is polite }
tests:
  - { description: one, assert: [*polite, { <<: *polite, value: is kind }] }
`,
    cases: ['one'],
    runs: ['llm-rubric', 'llm-rubric'],
    kept: [['x', 'It has no meaning here']],
  },
  {
    about: 'sets with weights, metrics and thresholds',
    text: `tests:
  - description: set
    threshold: 0.7
    assert:
      - type: assert-set
        threshold: 0.5
        weight: 2
        metric: tone
        assert:
          - { type: not-icontains, value: sorry }
          - { type: python, value: len(output) > 3 }
      - { type: cost, threshold: 0.01 }
`,
    cases: ['set'],
    runs: ['not-icontains', 'cost'],
    kept: [['assert.0.assert.1', CODE]],
  },
  {
    about: 'code of all sorts',
    text: `tests:
  - description: code
    assert:
      - { type: javascript, value: output.length }
      - { type: python, value: file://check.py }
      - { type: ruby, value: 'true' }
      - { type: webhook, value: 'https://a.example' }
      - { type: equals, value: file://expected.txt }
      - { type: contains-any, value: [a, 'file://b.txt'] }
      - { type: is-json, transform: JSON.parse(output) }
`,
    cases: ['code'],
    runs: [],
    kept: [
      ['assert.0', CODE],
      ['assert.1', CODE],
      ['assert.2', CODE],
      ['assert.3', 'It calls another server, which is not supported here'],
      ['assert.4', FILES],
      ['assert.5', FILES],
      ['assert.6', CHANGED],
    ],
  },
  {
    about: 'a transform of the output, before which nothing may be graded',
    text: `tests:
  - description: t
    options: { transform: output.trim() }
    assert: [{ type: not-contains, value: x }]
`,
    cases: ['t'],
    runs: [],
    kept: [
      ['options.transform', CHANGED],
      ['assert.0', CHANGED],
    ],
  },
  {
    about: 'kinds that need other models, and one that nobody knows',
    text: `tests:
  - description: k
    assert:
      - { type: similar, value: x, threshold: 0.8 }
      - { type: not-g-eval, value: x }
      - { type: shines }
      - just a text
`,
    cases: ['k'],
    runs: [],
    kept: [
      ['assert.0', '“similar” assertions are not supported here'],
      ['assert.1', '“g-eval” assertions are not supported here'],
      ['assert.2', '“shines” assertions are not supported here'],
      ['assert.3', 'It is not an assertion'],
    ],
  },
  {
    about: 'judges with prompts of their own',
    text: `defaultTest:
  options: { rubricPrompt: 'Is this right? {{ output }} {{rubric}}', provider: openai:gpt-5 }
tests:
  - description: j
    assert:
      - { type: llm-rubric, value: 'thanks {{who}}', provider: openai:gpt-5, threshold: 0.8 }
      - { type: model-graded-factuality, value: Paris, rubricPrompt: '{% if x %}{{ideal}}{% endif %}' }
      - { type: select-best, value: the best }
`,
    cases: ['j'],
    runs: ['llm-rubric', 'select-best'],
    kept: [
      ['options.provider', 'The judge is chosen when an evaluation starts'],
      ['assert.0.provider', 'The judge is chosen when an evaluation starts'],
      ['assert.1', 'Its judge’s prompt has more than names'],
    ],
  },
  {
    about: 'templates that say more than a name',
    text: `tests:
  - description: t
    vars: { name: Ada, greeting: 'Dear {{name}}', shout: '{{ name | upper }}', day: '{{env.DAY}}' }
    assert: [{ type: contains, value: '{{ name | upper }}' }, { type: contains, value: '{{name}}' }]
`,
    cases: ['t'],
    runs: ['contains'],
    kept: [
      ['assert.0', 'Its template is more than a name'],
      ['vars.shout', 'Its template is more than a name'],
      ['vars.day', 'Its template is more than a name'],
    ],
  },
  {
    about: 'values that are no texts, and names that are none here',
    text: `tests:
  - description: v
    vars: { n: 3, yes: true, list: [1, 2], deep: { a: [x] }, user-name: Ada, none: null, from: file://a.txt }
`,
    cases: ['v'],
    kept: [
      ['vars.user-name', 'Names here can only have letters, digits and underscores'],
      ['vars.none', 'It has no value'],
      ['vars.from', FILES],
    ],
  },
  {
    about: 'cases from elsewhere',
    text: 'tests: file://tests.csv\nprompts: [a]\n',
    cases: [],
    kept: [
      ['prompts', PROMPT],
      ['tests', 'Cases in other files are not supported here'],
    ],
  },
  {
    about: 'cases from elsewhere among others, and a generator',
    text: 'tests:\n  - file://more.yaml\n  - {description: own}\n  - {path: file://make.py, config: {n: 3}}\n',
    cases: ['own'],
    kept: [
      ['tests.0', 'Cases in other files are not supported here'],
      ['tests.2', 'Cases in other files are not supported here'],
    ],
  },
  {
    about: 'scenarios, red teaming and extensions',
    text: `scenarios: [{ config: [{ vars: { a: x } }], tests: [{ assert: [] }] }]
redteam: { purpose: x }
extensions: [file://hook.js:all]
derivedMetrics: [{ name: f1, value: a + b }]
nunjucksFilters: { up: ./up.js }
tags: { team: a }
`,
    cases: [],
    kept: [
      ['scenarios', 'Scenarios are not supported here'],
      ['redteam', 'Red teaming is not supported here'],
      ['extensions', 'They run code, which is not supported here'],
      ['derivedMetrics', 'Derived metrics are not supported here'],
      ['nunjucksFilters', 'They run code, which is not supported here'],
    ],
  },
  {
    about: 'tests with targets, prompts, answers and notes of their own',
    text: `tests:
  - description: own
    metadata: { tags: [angry, vip], ticket: 12 }
    provider: openai:gpt-5
    prompts: [short]
    providerOutput: given
    assertScoringFunction: file://score.js
    options: { prefix: 'Hi ', repeat: 3 }
    assert: [{ type: contains, value: x }]
`,
    cases: ['own'],
    runs: [],
    kept: [
      ['options.prefix', 'The prompt is the one here, without a prefix'],
      ['options.repeat', 'It has no meaning here'],
      ['provider', TARGETS],
      ['prompts', PROMPT],
      ['providerOutput', 'The answer comes from the prompt here'],
      ['assertScoringFunction', CODE],
      ['assert.0', CHANGED],
    ],
  },
  {
    about: 'assertions that promptfoo refuses too',
    text: `tests:
  - description: wrong
    assert:
      - { type: latency }
      - { type: contains, value: true }
      - { type: word-count, value: { min: 9, max: 2 } }
      - { type: assert-set, assert: [] }
      - { type: levenshtein, value: x, threshold: '3' }
`,
    cases: ['wrong'],
    runs: ['levenshtein'],
    kept: [
      ['assert.0', 'threshold: Required'],
      ['assert.1', 'value: Invalid input'],
      ['assert.2', 'value: The minimum is above the maximum'],
      ['assert.3', 'None of the set can run here'],
    ],
  },
  { about: 'what is no configuration', text: 'just: a\nfile: here\n', cases: 'it has no tests' },
  { about: 'a tag of a program', text: 'tests: [!!js/function "x"]', cases: 'Line 1: Unresolved tag' },
  { about: 'broken YAML', text: 'tests:\n  - a: [\n', cases: 'Line' },
  {
    about: 'a reference in a circle',
    text: "a: {$ref: '#/b'}\nb: {$ref: '#/a'}\ntests: [{$ref: '#/a'}]",
    cases: 'is circular',
  },
]
