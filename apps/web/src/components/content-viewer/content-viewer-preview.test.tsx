import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { readMarkup } from '../reader/read-markup.ts'
import { ContentViewer } from './content-viewer.tsx'
import { previewDocument } from './content-viewer-preview.tsx'

afterEach(cleanup)

const parse = (source: string) =>
  new DOMParser().parseFromString(previewDocument(readMarkup({ source, isPage: true })), 'text/html')

test('a preview keeps the looks of a page, and nothing that acts or fetches', () => {
  const page = parse(
    `<!doctype html><html><head><style>h1{color:red}</style><link rel="stylesheet" href="//evil.example"></head>
    <body class="wide" style="background:teal" onload="alert(1)"><h1 onclick="alert(2)">Hi</h1><p style="color:navy">there</p>
    <a href="https://evil.example" target="_top">go</a><img src="https://evil.example/x.png" alt="far">
    <img src="data:image/png;base64,AAAA" alt="near"><form action="//evil.example"><button formaction="//evil.example">Send</button></form>
    <script>alert(3)</script><iframe srcdoc="x"></iframe><meta http-equiv="refresh" content="0;url=//evil.example">
    <base href="//evil.example"><svg><script>alert(4)</script></svg></body></html>`,
  )
  expect(
    page.querySelector('script, link, iframe, form, base, svg, [href], [formaction], [style]'),
  ).toBeNull()
  expect([...page.querySelectorAll('meta')].map((meta) => meta.content)).toEqual([
    expect.stringMatching(/^default-src 'none';/),
  ])
  expect([...page.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
    null,
    'data:image/png;base64,AAAA',
  ])
  const handlers = [...page.querySelectorAll('*')].flatMap((element) => element.getAttributeNames())
  expect(handlers.filter((name) => name.startsWith('on'))).toEqual([])
  const sheet = page.querySelector('style')?.textContent ?? ''
  for (const rule of ['h1{color:red}', '{background:teal}', '{color:navy}']) expect(sheet).toContain(rule)
  expect(page.querySelector('.wide h1')?.textContent).toBe('Hi')
})

test('no style leaves its sheet', () => {
  const page = parse('<p style="color:red;x:</style><script>alert(1)</script>">a</p><style>b{}<!--</style>')
  expect(page.querySelectorAll('style')).toHaveLength(1)
  expect(page.querySelector('script')).toBeNull()
  expect(page.querySelector('p')?.textContent).toBe('a')
})

test('an answer in HTML has a preview in a frame without rights; other answers have none', async () => {
  const { rerender } = render(<ContentViewer title="AI response" content="<h2>Hi</h2><p>there</p>" />)
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  const frame = await screen.findByTitle('Preview: AI response')
  expect(frame.getAttribute('sandbox')).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  expect(screen.queryByTitle('Preview: AI response')).toBeNull()
  rerender(<ContentViewer title="AI response" content="Only text" />)
  expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull()
})
