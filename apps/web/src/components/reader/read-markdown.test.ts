import { expect, test } from 'vitest'
import { readMarkdown } from './read-markdown.ts'
import { htmlOf } from './testing/html-of.ts'

const shown = (text: string): string =>
  readMarkdown({ text, isWriting: false })
    .map(({ root }) => htmlOf(root))
    .join('')
    .replaceAll('</br>', '')
    .replaceAll('\n', '')
const plain = (text: string): string => shown(text).replaceAll(/ (dir|class)="[^"]*"/g, '')

test.each([
  ['takes ~5 min for ~10 files, costs (~$1.50) or (~$10)', []],
  ['大约~12万和~510万。', []],
  ['It is ~~gone~~ now.', ['gone']],
  ['这是~~旧的（过期）~~新的。', ['旧的（过期）']],
])('of ‘%s’ only what two tildes strike out is: %j', (text, gone) => {
  expect([...plain(text).matchAll(/<del>(.*?)<\/del>/g)].map(([, struck]) => struck)).toEqual(gone)
})

test.each([
  ['这是**“取出并重置”模式**。', '<p>这是<strong>“取出并重置”模式</strong>。</p>'],
  ['**注意：**请先备份。', '<p><strong>注意：</strong>请先备份。</p>'],
  [
    'これは**「強調（きょうちょう）」**です。',
    '<p>これは<strong>「強調（きょうちょう）」</strong>です。</p>',
  ],
  ['이것은 **“강조”**입니다.', '<p>이것은 <strong>“강조”</strong>입니다.</p>'],
  ['これは*「斜体」*です。', '<p>これは<em>「斜体」</em>です。</p>'],
  ['2 ** 3 ** 4', '<p>2 ** 3 ** 4</p>'],
])('emphasis stands beside Chinese, Japanese and Korean signs: %s', (text, html) => {
  expect(plain(text)).toBe(html)
})

test('HTML in an answer keeps its lines, a single `~` strikes nothing out, emphasis stands beside Chinese, Japanese and Korean signs, and each block has the direction of its writing; in mails too.', () => {
  expect(
    shown('<analysis>\nFirst line\nSecond line\n  - indented\n</analysis>\n\n<answer>\n42\n</answer>'),
  ).toBe(
    '<p className="raw-lines" dir="auto">&lt;analysis><br>First line<br>Second line<br>  - indented<br>&lt;/analysis></p>' +
      '<p className="raw-lines" dir="auto">&lt;answer><br>42<br>&lt;/answer></p>',
  )
  expect(plain('Use $<name> and <channel> here; a<b and List<String>; **bold <x>**.')).toBe(
    '<p>Use $&lt;name> and &lt;channel> here; a&lt;b and List&lt;String>; <strong>bold &lt;x></strong>.</p>',
  )
  expect(plain('> <note>\n> kept\n> </note>')).toContain('&lt;note><br>kept<br>&lt;/note>')
  expect(plain('- one\n  <!-- a\n  b -->')).toContain('&lt;!-- a<br>')
})

test.each(['first<br>second', 'first<br/>second', 'first<br />second', 'first<BR>second'])(
  'in %s a line is broken',
  (text) => {
    expect(plain(text)).toBe('<p>first<br>second</p>')
    expect(plain(`| Step | Detail |\n|---|---|\n| 1 | ${text} |`)).toContain('<td>first<br>second</td>')
    expect(plain(`- ${text}`)).toContain('<li>first<br>second</li>')
  },
)

test('a tag like it, with more in it, is no line break', () => {
  expect(plain('first<br onclick="x()">second <brief>')).toBe(
    '<p>first&lt;br onclick="x()">second &lt;brief></p>',
  )
})

test('each block has the direction of its writing, and code runs from left to right', () => {
  const arabic =
    'مرحبا! هذه خطوات التثبيت (الإصدار 2.0):\n\n1. شغّل `npm install` أولاً.\n\n> اقتباس عربي.\n\n| العمود | القيمة |\n|---|---|\n| السعر | 10$ |'
  const html = shown(arabic)
  expect(html).toMatch(/^<p dir="auto">مرحبا/)
  expect(html).toMatch(/<ol dir="rtl"><li dir="auto">شغّل <code dir="ltr">npm install<\/code>/)
  expect(html).toMatch(/<blockquote dir="rtl"><p dir="auto">اقتباس/)
  expect(html).toMatch(/<table dir="rtl"><thead><tr><th dir="auto">العمود/)
  expect(html).toContain('<td dir="auto">10$</td>')
  expect(shown('- `npm` שלום\n- two')).toContain('<ul dir="rtl">')
  expect(shown('- one\n- שלום\n\n```\nשלום\n```')).toMatch(/^<ul><li dir="auto">one.*<pre dir="ltr">/)
  expect(shown('### שלום')).toBe(
    '<h3 aria-level="3" dir="auto">שלום</h3>'.replace(
      'aria-level="3" dir="auto"',
      'dir="auto" aria-level="3"',
    ),
  )
})

test('Markdown that a model shows in a fence keeps the fences that are in it', () => {
  const text =
    'Here:\n\n```markdown\n# Read me\n\n```js\nrun()\n```\n\nMore.\n\n```sh\nnpm test\n```\n\nThe end.\n```\n\nAfter it.'
  expect(plain(text)).toBe(
    '<p>Here:</p><pre><code className="language-markdown"># Read me```jsrun()```More.```shnpm test```The end.</code></pre><p>After it.</p>',
  )
})

test.each([
  ['```markdown\n# Read me\n```\n\nText\n\n```js\na()\n```', 2],
  ['````markdown\n```js\na()\n```\n````\n\nText', 1],
  ['```js\n```markdown\n```\n\nText\n\n```\nb\n```', 2],
  ['```md\n```js\na()\n```\n\nText', 1],
])('what is written by the rule stays as it is: %j', (text, blocks) => {
  const html = plain(text)
  expect(html.split('<pre>')).toHaveLength(blocks + 1)
  expect(html).toContain('<p>Text</p>')
})
