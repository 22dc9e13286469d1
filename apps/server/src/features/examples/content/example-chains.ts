import type { ExampleChain } from './example-types.ts'

export const EXAMPLE_CHAINS: readonly ExampleChain[] = [
  {
    name: 'Monday digest',
    description:
      'From what customers wrote to a mail for the team: collects the themes, counts them, and writes what to do first. ' +
      'Give it messages as the input, or run it with none to see the sample.',
    exampleRequests: ['Make the weekly digest of customer messages', 'What did customers write this week?'],
    steps: [
      {
        title: 'Collect',
        outputVariableName: 'themes',
        linkedPrompt: 'Weekly customer digest',
      },
      {
        title: 'Count',
        outputVariableName: 'counts',
        content: `Make a table of the columns Theme and Count from the digest below, the most frequent first. Take the numbers as they are there.

Digest:
{{themes}}

More messages:
{{input}}`,
      },
      {
        title: 'Write',
        outputVariableName: 'mail',
        content: `Write a mail for $<product> to the team: a line "Subject:", then at most 120 words. Begin with the one thing to do first and why, then the largest themes with their numbers. End with a question that someone can answer today.

Style:
$<brand_voice>

Numbers:
{{counts}}

Digest:
{{themes}}`,
      },
    ],
  },
  {
    name: 'Contract to plain words',
    description:
      'Reads a contract, marks what to be careful about, and explains it to someone who has to decide. ' +
      'Its first step is the prompt Plain-language contract summary.',
    exampleRequests: [
      'Explain this contract to me in plain words',
      'What should we ask before signing this?',
    ],
    steps: [
      {
        title: 'Read',
        outputVariableName: 'summary',
        linkedPrompt: 'Plain-language contract summary',
      },
      {
        title: 'Mark',
        outputVariableName: 'marks',
        content: `List at most four points of this contract to be careful about, the most costly first. For each what could happen and when, and a question to the other side that would settle it. Do not call something unusual that is not.

Contract:
{{summary}}

Wishes:
{{input}}`,
      },
      {
        title: 'Explain',
        outputVariableName: 'explanation',
        content: `Explain in plain language, to someone who has five minutes and has to say yes or no, what this contract means for $<product>. At most 150 words, no legal terms. First one sentence with the recommendation: sign, sign after asking, or do not sign yet. Then why, as a list of at most three points. Then what happens if nobody does anything.

Contract:
{{summary}}

Points:
{{marks}}`,
      },
    ],
  },
  {
    name: 'Answer to a customer',
    description:
      'Sorts a mail from a customer, leaves out what needs no answer, drafts one, and asks you before it goes anywhere. ' +
      'Give it the mail as the input.',
    exampleRequests: ['Draft an answer to this mail', 'Does this mail need an answer?'],
    steps: [
      {
        title: 'Sort',
        outputVariableName: 'triage',
        content: `Sort this mail from a customer of $<product>. It is spam only if nobody would miss an answer. Put what the customer wants into one sentence.

Mail:
{{input}}`,
        output: {
          type: 'json',
          schema: {
            type: 'object',
            properties: {
              kind: { type: 'string', enum: ['question', 'complaint', 'praise', 'spam'] },
              wish: { type: 'string' },
            },
            required: ['kind', 'wish'],
            additionalProperties: false,
          },
        },
      },
      {
        title: 'Leave it out',
        onlyIf: { all: [{ ref: 'triage.kind', op: 'is', value: 'spam' }] },
        stop: { outcome: 'completed', text: 'This mail needs no answer: {{triage.wish}}' },
      },
      {
        title: 'Draft',
        outputVariableName: 'draft',
        content: `Answer this mail for $<product> in at most 120 words. Say first what we do about it, then by when. Promise nothing that the mail does not ask for.

Style:
$<brand_voice>

What the customer wants:
{{triage.wish}}

Mail:
{{input}}`,
      },
      {
        title: 'Ask',
        outputVariableName: 'approval',
        ask: {
          question: 'May this answer be sent?',
          text: '{{draft}}',
          editable: true,
          people: [],
          groups: [],
          role: 'owner',
          notTheRunner: false,
          choices: [
            { id: 'approve', label: 'Approve' },
            { id: 'reject', label: 'Reject', ends: 'failed' },
          ],
          deadlineMinutes: 1_440,
          onDeadline: 'reject',
        },
      },
      {
        title: 'Hand over',
        stop: { outcome: 'completed', text: '{{approval.text}}' },
      },
    ],
  },
]
