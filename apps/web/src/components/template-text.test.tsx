import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { TemplateText } from './template-text.tsx'

afterEach(cleanup)

const tinted = (container: HTMLElement) =>
  [...container.querySelectorAll('span')].map(({ textContent }) => textContent)

test('a field of an output in JSON is tinted as one with its name; of another output it is plain text', () => {
  const text = '{{ticket.items[0].title}} {{letter.title}} {{letter}} $<who>'
  const { container } = render(<TemplateText text={text} outputs jsonOutputs={new Set(['ticket'])} />)
  expect(tinted(container)).toEqual(['{{ticket.items[0].title}}', '{{letter}}', '$<who>'])
})
