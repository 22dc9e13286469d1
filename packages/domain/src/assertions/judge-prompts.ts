import type { JudgedKind } from './graders.ts'

/** promptfoo's own words, so that a rubric means here what it meant there. */
const RUBRIC_SYSTEM = `You are grading output according to a user-specified rubric. If the statement in the rubric is true, then the output passes the test. You respond with a JSON object with this structure: {reason: string, pass: boolean, score: number}

Examples:

<Output>Hello world</Output>
<Rubric>Content contains a greeting</Rubric>
{"reason": "the content contains the word 'Hello'", "pass": true, "score": 1.0}

<Output>Avast ye swabs, repel the invaders!</Output>
<Rubric>Does not speak like a pirate</Rubric>
{"reason": "'avast ye' is a common pirate term", "pass": false, "score": 0.0}`

const RUBRIC_USER = `<Output>
{{ output }}
</Output>
<Rubric>
{{ rubric }}
</Rubric>`

const FACTUALITY_SYSTEM = `You are a precise factuality evaluator that compares a submitted answer to an expert answer.

Your task is to analyze the factual content while ignoring differences in style, grammar, or punctuation.
You must categorize the submission into one of these options:

(A) The submitted answer is a subset of the expert answer and is fully consistent with it.
(B) The submitted answer is a superset of the expert answer and is fully consistent with it.
(C) The submitted answer contains all the same details as the expert answer.
(D) There is a disagreement between the submitted answer and the expert answer.
(E) The answers differ, but these differences don't matter from the perspective of factuality.

Respond ONLY with a JSON object in this format:
{
  "category": "[LETTER]",
  "reason": "[DETAILED EXPLANATION]"
}

- The "category" must be a single letter A, B, C, D, or E.
- Provide a clear, detailed explanation in the "reason" field.
- Your response must be valid JSON with no additional text.`

const FACTUALITY_USER = `I need you to compare these answers:

<question>
{{input}}
</question>

<expert_answer>
{{ideal}}
</expert_answer>

<submitted_answer>
{{completion}}
</submitted_answer>

Please analyze the factual relationship between these answers according to the categories you've been given.`

const BEST_SYSTEM = `You are comparing multiple pieces of text to see which best fits the following criteria: {{criteria}}

Here are the pieces of text:

{% for output in outputs %}
<Text index="{{ loop.index0 }}">
{{ output }}
</Text>
{% endfor %}

Output the index of the text that best fits the criteria. You must output a single integer.`

const messages = (system: string, user?: string) =>
  JSON.stringify(
    [{ role: 'system', content: system }, ...(user === undefined ? [] : [{ role: 'user', content: user }])],
    null,
    2,
  )

export const JUDGE_PROMPTS: Record<JudgedKind, string> = {
  'llm-rubric': messages(RUBRIC_SYSTEM, RUBRIC_USER),
  factuality: messages(FACTUALITY_SYSTEM, FACTUALITY_USER),
  'select-best': messages(BEST_SYSTEM),
}
