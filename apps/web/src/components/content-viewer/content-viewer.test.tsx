import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { nestHeadings } from '../reader/headings.ts'
import { readMarkup } from '../reader/read-markup.ts'
import { safeHref } from '../reader/safe-link.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { ContentViewer } from './content-viewer.tsx'
import { detectContent } from './content-viewer-detect.ts'
import { sanitizeHtml } from './content-viewer-sanitize.ts'

afterEach(cleanup)

test.each([
  ['{"a": [1]}', { kind: 'code', language: 'json', text: '{\n  "a": [\n    1\n  ]\n}' }],
  ['```json\n{"a":1}\n```', { kind: 'code', language: 'json', text: '{\n  "a": 1\n}' }],
  ['```python\nprint(1)\n```\n', { kind: 'code', language: 'python', text: 'print(1)' }],
  ['<!doctype html><html><body>Hi</body></html>', { kind: 'html' }],
  ['<h2>Hi</h2>\n<p>there</p>', { kind: 'html' }],
  ['const a = 1\nif (a) {\n  run()\n}', { kind: 'code', language: null }],
  ['SELECT *\nFROM users\nWHERE id = 1;', { kind: 'code', language: null }],
  ['[sandbox] No model was called.', { kind: 'text' }],
  ['{curly} words are no JSON', { kind: 'text' }],
  ['Here you are:\n\n```js\nrun()\n```', { kind: 'text' }],
  ['```js\na()\n```\nand\n```js\nb()\n```', { kind: 'text' }],
  ['import your contacts,\nthen press Save.', { kind: 'text' }],
  ['2 < 3 and 4 > 3', { kind: 'text' }],
  [
    'UPDATE (March release):\n\n- Fixed the following,\n- Added these things:\n  - one (big)',
    { kind: 'text' },
  ],
  ['WITH thanks to all (really):\n  The team', { kind: 'text' }],
  ['SELECT few (of many):\n1. FROM here,\n2. FROM there,', { kind: 'text' }],
  ['class sizes are growing:\n- in towns,\n- in villages:', { kind: 'text' }],
  ['WITH recent AS (\n  SELECT 1\n)\nSELECT * FROM recent;', { kind: 'code', language: null }],
  ['UPDATE users\nSET name = 1,\n  age = 2\nWHERE id = 2;', { kind: 'code', language: null }],
  ['CREATE TABLE users (\n  id int,\n  name text\n);', { kind: 'code', language: null }],
])(
  'The viewer knows JSON, HTML, code and plain text; prose that opens with a word of SQL or of a program is prose. (%j)',
  (text, expected) => {
    expect(detectContent({ text })).toMatchObject(expected)
  },
)

test.each([
  ['~~~~\na ~~~ b\n~~~~', { kind: 'code', language: null, text: 'a ~~~ b' }],
  ['\n```ts title="a"\ncode```\n', { kind: 'code', language: 'ts', text: 'code' }],
  ['```\n```', { kind: 'code', language: null, text: '' }],
  ['```\n<p>Hi</p>\n```', { kind: 'html', text: '<p>Hi</p>' }],
  ['```js\n<p>Hi</p>\n```', { kind: 'code', language: 'js' }],
  ['```', { kind: 'text' }],
  ['```code```', { kind: 'text' }],
  ['``\ncode\n``', { kind: 'text' }],
  ['```\ncode\n~~~', { kind: 'text' }],
])('of %j the fence is known', (text, expected) => {
  expect(detectContent({ text })).toMatchObject(expected)
})

test.each([
  ['a long name of a language and no end', `\`\`\`${'a'.repeat(300_000)}\n${'x'.repeat(700_000)}`],
  ['a million marks', `${'`'.repeat(999_000)}\n`],
  ['a long line that opens as a class does', `class ${'a'.repeat(999_000)}\nx`],
])('%s is looked through once', (_name, text) => {
  expect(detectContent({ text })).toEqual({ kind: 'text' })
})

function htmlOf(source: string): string {
  const box = document.createElement('div')
  box.append(sanitizeHtml(readMarkup({ source, isPage: false })))
  return box.innerHTML
}

test('HTML is sanitised to the listed tags and attributes.', () => {
  expect(
    htmlOf('<h2 id="top" style="color: red; position: fixed">A</h2><ul class="x y"><li><b>1</b></ul>'),
  ).toBe(
    '<h2 id="content-top" style="color: red;" aria-level="3">A</h2><ul class="content-x content-y"><li><b>1</b></li></ul>',
  )
  expect(htmlOf('<a href="https://a.b/?x=1&amp;y=2" target="_top">x</a>')).toBe(
    '<a rel="noopener noreferrer" href="https://a.b/?x=1&amp;y=2" target="_blank">x</a>',
  )
  expect(htmlOf('<a href="#top">x</a>')).toBe('<a rel="noopener noreferrer" href="#content-top">x</a>')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#115;cript:alert(1)">x</a>',
  '<a href=" data:text/html,x">x</a>',
  '<div onclick="alert(1)" style="background-image:url(https://e.vil/x)">x</div>',
  '<div style="color:expression(alert(1));width:calc(1px*url(x))">x</div>',
  '<!-- <p title=" --><img src=x onerror=alert(1)>">',
  '<p title="</p><img src=x onerror=alert(1)>">x</p>',
  '<style>*{position:fixed}</style><title><img src=x onerror=alert(1)></title>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><form action=x><input name=y></form>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<<img src=x onerror=alert(1)//',
])('nothing that acts, fetches or moves is left of %s', (payload) => {
  // What the parser is given: an attribute that handles events or styles offends the page's policy by being read.
  expect(
    readMarkup({ source: payload, isPage: false }).html.replace(/<\/?[a-z][a-z0-9]*( data-tag="\d+")?>/g, ''),
  ).not.toContain('<')
  const box = document.createElement('div')
  box.append(sanitizeHtml(readMarkup({ source: payload, isPage: false })))
  expect(box.querySelector('script, img, svg, iframe, form, input, style, math, title')).toBeNull()
  for (const element of box.querySelectorAll<HTMLElement>('*')) {
    const names = element.getAttributeNames()
    expect(
      names.filter((name) => !['href', 'target', 'rel', 'class', 'id', 'style', 'aria-level'].includes(name)),
    ).toEqual([])
    expect(element.getAttribute('href') ?? '#').toMatch(/^(https?:|mailto:|#)/)
    expect(element.getAttribute('style') ?? '').not.toMatch(/url|position|\(/)
  }
})

function show(content: string, isWriting = false) {
  return render(
    <TooltipProvider>
      <ContentViewer title="AI response" content={content} isWriting={isWriting} />
    </TooltipProvider>,
  )
}

test('Markdown shows no HTML of its own, opens links apart and fetches no picture', async () => {
  show('**Hi** <b onclick="x()">raw</b> [link](https://a.b) [bad](javascript:x) ![pic](https://e.vil/x.png)')
  const strong = await screen.findByText('Hi')
  expect(strong.tagName).toBe('STRONG')
  expect(document.querySelector('b, img')).toBeNull()
  for (const name of ['link', 'pic']) {
    const link = screen.getByText<HTMLAnchorElement>(name)
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
  }
  expect(screen.getByText('bad').hasAttribute('href')).toBe(false)
})

test('a link leads, by itself, to the web or to mail, or it leads nowhere', () => {
  for (const href of ['https://a.b/c', 'http://a.b', 'mailto:a@b.c']) expect(safeHref(href)).toBe(href)
  for (const href of ['javascript:x', 'xmpp:a@b.c', 'irc://a.b', 'https:javascript:x', '//a.b', '/api', '']) {
    expect(safeHref(href)).toBeNull()
  }
})

test('foreign headings take their place below the page’s own, without gaps', async () => {
  expect(nestHeadings([1, 4, 2, 6, 1])).toEqual([3, 4, 4, 5, 3])
  show('# One\n\n#### Two')
  expect((await screen.findByRole('heading', { name: 'Two', level: 4 })).tagName).toBe('H4')
  expect(screen.getByRole('heading', { name: 'One', level: 3 }).tagName).toBe('H1')
  expect(htmlOf('<h5>One</h5>')).toBe('<h5 aria-level="3">One</h5>')
})

test('while it is written the cursor stands behind the last word', async () => {
  show('One\n\n- two\n- three', true)
  await waitFor(() => expect(document.querySelector('li')).not.toBeNull())
  expect(document.querySelector('.writing-cursor')?.parentElement?.textContent).toBe('three')
})

test('The viewer has Copy and Expand or Collapse, and is 400px high at first.', async () => {
  const { container } = show('Text')
  const body = () => container.querySelector('figure > div:last-child')
  expect(body()?.className).toContain('max-h-[400px]')
  expect(body()?.getAttribute('tabindex')).toBe('0')
  await userEvent.click(screen.getByRole('button', { name: 'Expand' }))
  expect(body()?.className).not.toContain('max-h-[400px]')
  expect(body()?.hasAttribute('tabindex')).toBe(false)
  expect(screen.getByRole('button', { name: 'Collapse' })).toBeTruthy()
})

test('Plain text keeps its line breaks.', async () => {
  show('Dear Grace,\nwelcome.\n\nYours,\nAda')
  const greeting = await screen.findByText(/Dear Grace,/, { selector: 'p' })
  expect(greeting.innerHTML).toMatch(/^Dear Grace,<br>\s*welcome\.$/)
  expect(screen.getByText(/Yours,/, { selector: 'p' }).querySelectorAll('br')).toHaveLength(1)
})

test('a Markdown table is a table', async () => {
  render(<ContentViewer title="Answer" content={'Prices:\n\n| item | price |\n|---|---|\n| tea | 3 |'} />)
  await waitFor(() => expect(screen.getByRole('table')).toBeTruthy())
  expect(screen.getByRole('cell', { name: 'tea' })).toBeTruthy()
})

test('A rendered answer is copied as Markdown or as plain text.', async () => {
  const user = userEvent.setup()
  const text = 'One **bold** word.\n\n- a\n- b'
  render(
    <TooltipProvider>
      <ContentViewer title="Answer" content={text} />
    </TooltipProvider>,
  )
  await screen.findByText('bold')
  for (const [item, copied] of [
    ['Copy as plain text', 'One bold word.\n\n• a\n• b'],
    ['Copy as Markdown', text],
  ] as const) {
    await user.click(screen.getByRole('button', { name: /^(Copy as|Copied!)$/ }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(copied))
  }
})
