import type { ExamplePrompt } from './example-types.ts'

export const EXAMPLE_PROMPTS: readonly ExamplePrompt[] = [
  {
    title: 'Plain-language contract summary',
    category: 'General',
    content: `Summarise the contract below for people without legal training. We are the team behind $<product>.

Answer with a table of the columns Clause and Plain meaning. Give each clause a row of its own. Keep every figure exactly as it is. Add nothing that the contract does not say, and give no legal advice.

The contract is a sample; put yours in its place.

Contract:
1. Term. The agreement shall commence on 1 January 2027 and run for 24 months.
2. Fee. The customer shall pay €480 a month in advance; the provider may raise it once a year by up to 6 %.
3. Renewal. It renews for 12 months unless terminated in writing 90 days before the end of a term.
4. Data. Customer data is stored in the EU and deleted 60 days after the end of the agreement.
5. Liability. The provider's liability is limited to the fees paid in the preceding 12 months.`,
  },
  {
    title: 'Meeting to decisions',
    category: 'General',
    content: `Turn the notes below into what someone who was not there needs. Leave out how the discussion went, and guess nothing.

Answer with the sections Decisions, Actions and Open questions. Each entry is one line, with who decides or does it and by when. Where the notes name nobody or no day, say that it is open. Stay under 150 words.

The notes are a sample about $<product>; put yours in their place.

Notes:
Ines: 31 % of teams used snooze in its first week.
We decided to remove Folders one week after the mail.
Jonas will write the mail by Thursday.
Ines will check the saved searches of the ten largest accounts by Monday.
Tom asked whether the phone app shows saved searches; that is still open.`,
  },
  {
    title: 'Product launch email',
    category: 'Writing',
    content: `Write a launch email for $<product> to $<audience>. Take every fact from the release notes below, and none from elsewhere.

Begin with a line "Subject:" of at most 50 characters. Then at most 150 words: first what these readers can do now that they could not do before, then at most two more changes. If something was removed, say so and what to use instead. End with one thing to try today.

Style:
$<brand_voice>

Release notes:
$<release_notes>`,
  },
  {
    title: 'Tone check',
    category: 'Writing',
    content: `Compare each sentence of the draft below with how we want to sound. Change no facts.

Answer with a table of the columns Sentence, Tone and Better. Leave nothing out; where a sentence is fine, leave its last cell empty.

Style:
$<brand_voice>

The draft is a sample for $<product>; put yours in its place.

Draft:
You failed to notice our most powerful update ever. Obviously everyone must use the revolutionary snooze now. Thanks for the many messages about it. You should read the manual before you write to us.`,
  },
  {
    title: 'Code review, kind and exact',
    category: 'Coding',
    content: `Review the change below as a colleague who wants it merged today, and right.

Write a numbered list, the most serious finding first: the line, what goes wrong and with which input, and the smallest change that mends it. Say nothing about formatting. If you are not sure that something is wrong, ask instead of claiming it. End with one thing that is well done.

The change is a sample from $<product>; put yours in its place.

\`\`\`js
var total = 0
for (var i = 0; i <= conversations.length; i++) {
  if (conversations[i].snoozedUntil == null) continue
  setTimeout(() => reopen(conversations[i].id), conversations[i].snoozedUntil - Date.now())
  total += 1
}
console.log(total)
\`\`\``,
  },
  {
    title: 'Release notes from commits',
    category: 'Coding',
    content: `Write release notes for $<product> from the commits below; $<audience> read them.

Write one line each, saying what a person can do or sees now, not how it was built. Join commits that belong together. Leave out what nobody outside of the team notices. Put what needs an action of the reader first.

The commits are a sample; put yours in their place.

Commits:
a41c09e feat(inbox): snooze a conversation until a chosen time
9b7d220 feat(keyboard): snooze with S
77f01ac perf(inbox): open 10,000 conversations in 0.4 s instead of 2.1 s
5e2290d fix(mobile): keep line breaks in replies
10be4f7 feat(search): look inside of PDF and text attachments
e88a6d5 feat!: replace Folders by saved searches
d0f7c12 chore: update dependencies`,
  },
  {
    title: 'Weekly customer digest',
    category: 'Analysis',
    content: `Read what customers of $<product> wrote this week and tell the team what to do about it.

Answer with a table of the columns Theme, Count and Example. Sort it by how frequent a theme is. Quote exactly, and count each message once, under its main theme.

The messages are a sample; put yours in their place.

Messages:
- The snooze comes back in the wrong time zone
- Where did my folders go? I can't find them any more
- Search in PDFs saved my afternoon, thank you
- The phone app crashes when I snooze twice
- Could you let a whole team snooze at once?
- Much faster now, love it
- Is there a way to get the folders back?`,
  },
  {
    title: 'SQL from a question',
    category: 'Analysis',
    content: `Write one SQL query for PostgreSQL that answers the question below about $<product>. It only reads.

Use only tables and columns that are there; if the question can't be answered from them, say what is missing instead of inventing a column. Prefer a readable query over a short one. Below it name the assumptions that you made.

Question and tables are a sample; put yours in their place.

Tables:
teams(id, name, plan, created_at)
conversations(id, team_id, snoozed, created_at)

Question: Which teams had the most conversations last month?`,
  },
]
