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
]
