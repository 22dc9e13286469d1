import { afterAll, expect, test } from 'vitest'
import { createBoundedWork } from '../bounded/bounded-work.ts'
import { renderMessage } from './mail-message.ts'

const bounded = createBoundedWork()
afterAll(() => bounded.close())

const render = ({ markdown }: { markdown: string }) =>
  renderMessage({ subject: 'Hi', paragraphs: ['One & two'], markdown, links: [] }, { bounded, owner: 1 })

test.each([
  ['references without end', '[a]'.repeat(33_000)],
  ['opening brackets', '['.repeat(100_000)],
  ['marks that open and close', '*a_ '.repeat(25_000)],
  ['quotes within quotes', `${'> '.repeat(50_000)}a`],
  ['code that does not end', Array.from({ length: 400 }, (_, length) => `${'`'.repeat(length)} a`).join(' ')],
  ['lists within lists', `${'- '.repeat(50_000)}a`],
  ['tables', `|a|\n|-|\n${'|'.repeat(100_000)}`],
])(
  'a result of %s is sent, laid out or as it is written, and nobody waits for it',
  async (_what, markdown) => {
    let ticks = 0
    const ticking = setInterval(() => {
      ticks += 1
    }, 10)
    const { text, html } = await render({ markdown })
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(1)
    expect(text).toContain(markdown.trim())
    expect(html).toMatch(/<article>(<pre>.*<\/pre>|[\s\S]*)<\/article>/)
  },
)

test('what can’t be laid out in time stands as it is written', async () => {
  const markdown = `<b>${'[a]'.repeat(60_000)}`
  expect((await render({ markdown })).html).toContain('<article><pre>&lt;b&gt;[a][a]')
})
