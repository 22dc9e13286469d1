const LETTER = `Dear Grace,

welcome to **Harbour & Sons**. We are glad that you are here.

## One thing to try first

Open the *tide table* and mark the morning you would like to go out:

1. Choose a day between Monday and Friday.
2. Tell us who comes along.
3. We reply within the hour.

> The harbour master answers on channel 12, or at [harbour@example.org](mailto:harbour@example.org).

| Boat | Seats | Leaves |
| --- | --- | --- |
| *Catenary* | 6 | 07:30 |
| *Parabola* | 4 | 09:00 |

What would you like to see first?`

const REVIEW = `Two defects, the worse one first.

\`\`\`ts
// was: if (attempt <= limit) — one try too many
if (attempt < limit) {
  await sleep(backoff * 2 ** attempt)
}
\`\`\`

The second is a missing \`await\` in line 41; add it and the test no longer flickers.`

const JSON_ANSWER =
  '{"tasks":[{"task":"Book the room","owner":"Ada","due":"2026-03-04"},{"task":"Send the agenda","owner":"Grace","due":null}],"open":2,"done":false}'

const HTML_ANSWER = `<h2>Offers</h2>
<p>Both are <strong>valid</strong> until Friday; see the <a href="https://example.org/terms">terms</a>.</p>
<table>
  <thead><tr><th>Supplier</th><th>Price</th><th>Risk</th></tr></thead>
  <tbody><tr><td>North</td><td>4,200</td><td><em>late delivery</em></td></tr><tr><td>South</td><td>4,650</td><td>none seen</td></tr></tbody>
</table>
<ul><li>Recommendation: South</li><li>Term: 24 months</li></ul>`

const SUBJECT = `**Sails on time, tickets late**

*Eight of 31 replies name the same gate.*`

/** More chapters than any column shows at once. */
const CHAPTERS = 60
const LONG_ANSWER = Array.from(
  { length: CHAPTERS },
  (_, index) => `## Chapter ${index + 1}\n\n${LETTER}`,
).join('\n\n')

/** What the fake model says: by what the request speaks of. */
export function answerTo(request: string): string {
  if (request.includes('at length')) return LONG_ANSWER
  if (request.includes('One subject line')) return SUBJECT
  if (request.includes('diff')) return REVIEW
  if (request.includes('tasks with owner')) return JSON_ANSWER
  if (request.includes('Compare the offers')) return HTML_ANSWER
  return LETTER
}
