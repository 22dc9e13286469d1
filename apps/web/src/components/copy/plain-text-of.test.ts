import { expect, test } from 'vitest'
import { plainTextOf } from './plain-text-of.ts'

function shown(html: string): Element {
  const element = document.createElement('div')
  element.innerHTML = html
  return element
}

test.each([
  [
    '<h2>Title</h2>\n<p>One <strong>bold</strong>\n<em>word</em>.<br>Next</p><p>Two</p>',
    'Title\n\nOne bold word.\nNext\n\nTwo',
  ],
  ['<ul><li>a</li><li><p>b</p></li></ul>', '• a\n• b'],
  ['<p>So:</p><ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>', 'So:\n\n3. a\n4. b\n  • c'],
  ['<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><code>2</code></td></tr></table>', 'a\tb\n1\t2'],
  ['<pre><button>Copy</button><code>if (a) {\n  b\n}</code></pre>', 'if (a) {\n  b\n}'],
  ['<p>See <a href="https://example.org">this</a></p><button>Copy</button>', 'See this'],
])('%s is copied without its marks', (html, text) => {
  expect(plainTextOf(shown(html))).toBe(text)
})
