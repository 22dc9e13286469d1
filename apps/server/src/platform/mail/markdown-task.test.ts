import { expect, test } from 'vitest'
import work from './markdown-task.ts'

const plain = (markdown: string) => work(markdown).replaceAll(/ (dir|class)="[^"]*"/g, '')

test('only two tildes strike out', () => {
  expect(plain('takes ~5 min for ~10 files, 大约~12万和~510万, ~~gone~~')).toBe(
    '<p>takes ~5 min for ~10 files, 大约~12万和~510万, <del>gone</del></p>',
  )
})

test('emphasis stands beside Chinese and Japanese signs', () => {
  expect(plain('これは**「強調」**です。')).toBe('<p>これは<strong>「強調」</strong>です。</p>')
  expect(plain('这是~~旧的（过期）~~新的。')).toBe('<p>这是<del>旧的（过期）</del>新的。</p>')
})

test('HTML is shown as it is written, line by line, and a bare line break is one', () => {
  expect(work('<analysis>\nFirst\n  - indented\n</analysis>')).toBe(
    '<p class="raw" dir="auto">&lt;analysis&gt;\nFirst\n  - indented\n&lt;/analysis&gt;</p>'.replace(
      'class="raw" dir="auto"',
      'dir="auto" class="raw"',
    ),
  )
  expect(plain('| a |\n|---|\n| first<br>second<br/>third |')).toContain('<td>first<br>second<br>third</td>')
  expect(plain('<br onclick="x()"> <b>no</b> <script>x</script>')).not.toMatch(/<(br|b|script)\b/)
})

test('each block has the direction of its writing, and code runs from left to right', () => {
  const html = work(
    'مرحبا\n\n- «شغّل» `npm`\n- two\n\n> "اقتباس"\n\n| العمود |\n|---|\n| 1 |\n\n- one\n- שלום',
  )
  expect(html).toContain('<p dir="auto">مرحبا</p>')
  expect(html).toContain('<ul dir="rtl">\n<li dir="auto">«شغّل» <code dir="ltr">npm</code></li>')
  expect(html).toContain('<blockquote dir="rtl">\n<p dir="auto">')
  expect(html).toContain('<table dir="rtl">')
  expect(html).toContain('<ul>\n<li dir="auto">one</li>')
})
