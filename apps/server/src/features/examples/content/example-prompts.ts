import type { ExamplePrompt } from './example-types.ts'

/** In the order in which they are shown, two a category. */
export const EXAMPLE_PROMPTS: readonly ExamplePrompt[] = [
  {
    title: 'Plain-language contract summary',
    category: 'General',
    content: `Summarise the contract below for people without legal training. We are the team behind $<product>.

Answer with a table of three columns: Point, What it says, What it means for us. One row for each of these points: term and notice, price and increases, data, liability, renewal. Where the contract says nothing about a point, write "not mentioned". Quote dates, sums and periods exactly. Below the table name the two clauses to ask about before signing, each in one sentence.

Add nothing that the contract does not say, and give no legal advice.

The contract, a sample (put yours in its place):

1. The Provider hosts the Service from 1 January for an initial term of 24 months.
2. The fee is EUR 480 a month. The Provider may raise it once a year by up to 6 % with 30 days' notice.
3. The agreement renews for 12 months unless terminated in writing 90 days before the end of a term.
4. Customer Data is stored in the EU and deleted 60 days after the end of the agreement.
5. The Provider's liability is limited to the fees paid in the preceding 12 months.`,
  },
  {
    title: 'Meeting to decisions',
    category: 'General',
    content: `Turn the notes below into what someone who was not there needs.

Write three short lists under these headings:

## Decided
One line a decision, with who decided it.

## To do
One line a task: who, what, by when. Where the notes name nobody or no day, write "open" there and guess nothing.

## Still open
One line a question, with who can answer it.

Leave out how the discussion went. Stay under 150 words.

The notes, a sample (put yours in their place):

Monday, about $<product>. Ines showed the snooze numbers: 31 % of teams used it in week one. Jonas wants to remove Folders now, Ines says wait for the migration mail. Agreed: mail goes out Thursday, Folders go a week later, Ines decides. Jonas writes the mail. Someone must check the saved searches of the big accounts. Nobody knew whether the phone app shows them. Price page: not today.`,
  },
  {
    title: 'Product launch e-mail',
    category: 'Writing',
    content: `Write an e-mail that tells $<audience> what is new in $<product>.

Take every fact from these release notes, and none from elsewhere:

$<release_notes>

How it should sound:

$<brand_voice>

Its form: a line "Subject:" of at most 50 characters, then the mail of at most 150 words. Begin with the one change that matters most to these readers and say what they can do now that they could not do before. Name at most two more. If something was removed, say so and what to use instead. End with one thing to try today.`,
  },
  {
    title: 'Tone check',
    category: 'Writing',
    content: `Compare the draft below with how we want to sound. Change no facts.

How we want to sound:

$<brand_voice>

Answer with a table of three columns: Sentence, What is off, Better. One row for each sentence that is off; leave out those that are fine. Below the table rate the draft from 1 to 5 and say in one sentence what to change first.

The draft, a sample (put yours in its place):

We are thrilled to announce the most powerful update of $<product> ever!!! Users will be enabled to leverage our revolutionary snooze functionality. Conversations can be postponed. It just works. Please do not hesitate to reach out should any questions arise.`,
  },
  {
    title: 'Code review, kind and exact',
    category: 'Coding',
    content: `Review the change below as a colleague who wants it to be merged today, and to be right.

Write a numbered list, the most serious first. For each finding: the line, what goes wrong and with which input, and the smallest change that mends it. Mark each as "must", "should" or "taste", with at most two of taste. Say nothing about formatting. Then name one thing that is well done, and end with one line: merge, merge after the musts, or talk first.

If you are not sure that something is wrong, ask instead of claiming it.

The change, a sample from $<product> (put yours in its place):

\`\`\`ts
export async function snooze(id: string, until: string) {
  const conversation = await db.find(id)
  if (new Date(until) < new Date()) return
  conversation.snoozedUntil = new Date(until)
  db.save(conversation)
  setTimeout(() => reopen(id), +new Date(until) - Date.now())
}
\`\`\``,
  },
  {
    title: 'Release notes from commits',
    category: 'Coding',
    content: `Write release notes for $<audience> of $<product> from the commits below.

Group them in lists under the headings New, Better and Fixed, and leave out a heading without entries. One line each: what a person can do or sees now, not how it was built. Join commits that belong together. Leave out what nobody outside of the team notices. Put what needs an action of the reader first, in bold.

The commits, a sample (put yours in their place):

a41c09e feat(inbox): snooze a conversation until a chosen time
9b7d220 feat(inbox): snooze from the keyboard with S
77f01ac perf(inbox): virtualise the list, 2.1 s to 0.4 s with 10k rows
5e2290d fix(mobile): keep line breaks in replies
c3390b1 refactor(search): move the index into its own package
10be4f7 feat(search): look inside of PDF and text attachments
e88a6d5 feat!: remove Folders, migrate them to saved searches
d0f7c12 chore: bump eslint`,
  },
  {
    title: 'Weekly customer digest',
    category: 'Analysis',
    content: `Read what customers of $<product> wrote this week and tell the team what to do about it.

Answer with a table of four columns: Theme, How many, In their words, Suggestion. At most five rows, the most frequent first. Quote exactly, and count each message once, under its main theme. Below the table write two sentences: what is new compared with the release notes below, and the one thing to do first.

The release notes they may refer to:

$<release_notes>

The messages, a sample (put yours in their place):

1. Snooze is lovely, but it comes back at 9:00 in the wrong time zone.
2. Where did my folders go?
3. Search in PDFs saved my afternoon, thank you.
4. Snoozed until Monday 9:00, came back Sunday 23:00.
5. I can't find folders any more. Support said "saved searches", I did not know.
6. Much faster now.
7. Can snooze be set for a whole team?
8. Folders!! I had forty of them.`,
  },
  {
    title: 'SQL from a question',
    category: 'Analysis',
    content: `Write one SQL query for PostgreSQL that answers the question below about $<product>.

Answer with the query in a code block, then a list of the assumptions that you made about the data, then one way in which the result could mislead. Use only tables and columns of the schema; if it can't be answered from them, say what is missing instead of inventing a column. Prefer a readable query with named subqueries over a short one. Read only: no statement that changes data.

The question, a sample (put yours in its place):

Which share of the teams that signed up in each of the last six months snoozed a conversation in their first week?

The schema:

teams (id, name, signed_up_at, plan)
conversations (id, team_id, created_at, closed_at)
events (id, team_id, conversation_id, kind, at)   -- kind: 'snoozed', 'replied', 'closed'`,
  },
]
