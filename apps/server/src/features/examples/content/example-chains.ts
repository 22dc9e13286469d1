import type { ExampleChain } from './example-types.ts'

/** Each step takes what the ones before it made. */
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
        content: `Make a table of two columns, Theme and Messages, from the digest below, the most frequent first, with a last row for the sum. Take the numbers as they are there, and calculate none but the sum.

The digest:

{{themes}}

More messages, if there are any:

{{input}}`,
      },
      {
        title: 'Write',
        outputVariableName: 'mail',
        content: `Write a mail to the team behind $<product>: a line "Subject:", then at most 120 words. Begin with the one thing to do first and why. Then the three largest themes with their numbers. End with a question that someone can answer today.

How it should sound:

$<brand_voice>

The numbers:

{{counts}}

The digest they come from:

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
        content: `From the summary of a contract below, list at most four points to be careful about, the most costly first. For each: the clause, what could happen and when, and a question to the other side that would settle it. Judge by what is there, and do not call something unusual that is not.

{{summary}}

What we want to know in particular, if anything:

{{input}}`,
      },
      {
        title: 'Explain',
        outputVariableName: 'explanation',
        content: `Explain to a person who has five minutes and has to say yes or no what this contract means for $<product>. At most 150 words, no legal terms. First one sentence with the recommendation: sign, sign after asking, or do not sign yet. Then why, as a list of at most three points. Then what happens if nobody does anything.

The summary:

{{summary}}

What to be careful about:

{{marks}}`,
      },
    ],
  },
]
