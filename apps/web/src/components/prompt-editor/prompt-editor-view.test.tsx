import { EditorView } from '@codemirror/view'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { PromptEditor } from './prompt-editor.tsx'

afterEach(cleanup)

async function openEditor() {
  const variables = ['brand_voice', 'audience'].map((name) => ({ name, preview: '' }))
  render(<PromptEditor label="Content" value="" variables={variables} onChange={() => undefined} />)
  const editor = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Content' }))
  if (!editor) throw new Error('no editor')
  editor.focus()
  return editor
}

function type(editor: EditorView, text: string): void {
  const end = editor.state.doc.length
  editor.dispatch({
    changes: { from: end, insert: text },
    selection: { anchor: end + text.length },
    userEvent: 'input.type',
  })
}

test('a name can be chosen in the moment in which the list narrows', async () => {
  const editor = await openEditor()
  type(editor, 'For $<')
  expect(await screen.findByRole('option', { name: /brand_voice/ })).toBeTruthy()
  type(editor, 'aud')
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(options).toEqual(['audience'])
  fireEvent.mouseDown(screen.getByRole('option', { name: 'audience' }))
  expect(editor.state.doc.toString()).toBe('For $<audience>')
})

test('Each line of the editor has the direction of its writing.', async () => {
  const editor = await openEditor()
  type(editor, 'Write to $<audience>:\nשלום, עולם\n')
  const lines = [...editor.contentDOM.querySelectorAll('.cm-line')]
  expect(lines.map((line) => line.getAttribute('dir'))).toEqual(['auto', 'auto', 'auto'])
})

/** The list takes no Enter in its first moments. */
const LIST_RESTS_MS = 80

test('The Enter or Escape that ends a character of an input method does nothing else, in the editor neither.', async () => {
  const editor = await openEditor()
  type(editor, 'For $<')
  expect(await screen.findByRole('option', { name: /brand_voice/ })).toBeTruthy()
  const openedAt = Date.now()
  await expect.poll(() => Date.now() - openedAt).toBeGreaterThan(LIST_RESTS_MS)
  fireEvent.keyDown(editor.contentDOM, { key: 'Enter', keyCode: 229, isComposing: true })
  expect(editor.state.doc.toString()).toBe('For $<')
  fireEvent.keyDown(editor.contentDOM, { key: 'Enter', keyCode: 13 })
  expect(editor.state.doc.toString()).toMatch(/^For \$<(audience|brand_voice)>$/)
})

test('a field of an output in JSON is tinted as one with its name', async () => {
  const outputs = [
    { name: 'ticket', origin: 'step 1', fields: [{ path: 'severity', type: 'text' }] },
    { name: 'letter', origin: 'step 2' },
  ]
  const value = '{{ticket.severity}} {{letter.title}} {{letter}}'
  const editor = { label: 'Content', variables: [], onChange: () => undefined }
  render(<PromptEditor {...editor} value={value} outputs={outputs} />)
  const textbox = await screen.findByRole('textbox', { name: 'Content' })
  const tinted = [...textbox.querySelectorAll('.cm-output')].map(({ textContent }) => textContent)
  expect(tinted).toEqual(['{{ticket.severity}}', '{{letter}}'])
})

test('a variable that stands before much fixed text is worth a hint; one after it is not', () => {
  const text = 'be exact. '.repeat(1_200)
  const hint = /Moving \$<who> below the text that follows it would make about 3,200 tokens cacheable\./
  const editor = { label: 'Content', variables: [], onChange: () => undefined }
  const { container, rerender } = render(<PromptEditor {...editor} value={`For $<who>: ${text}`} />)
  expect(container.textContent).toMatch(hint)
  rerender(<PromptEditor {...editor} value={`${text} for $<who>`} />)
  expect(container.textContent).not.toContain('cacheable')
  rerender(<PromptEditor {...editor} value={`For $<who>: ${text}`} readOnly />)
  expect(container.textContent).not.toContain('cacheable')
})
