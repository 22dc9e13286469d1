import { describe, expect, it } from 'vitest'
import { buildPrompt } from './prompt-builder.ts'

describe('buildPrompt', () => {
  it('The generated text of the builder has labelled sections in order.', () => {
    const text = buildPrompt({
      feedback: 'Be brief.',
      errorHandling: 'Fail loudly.',
      standards: 'Strict types.',
      userPrefs: 'No new dependency.',
      aiTask: 'Write a parser.',
    })
    expect(text).toBe(
      [
        'Task:\nWrite a parser.',
        'Preferences:\nNo new dependency.',
        'Standards:\nStrict types.',
        'Error Handling:\nFail loudly.',
        'Feedback Requirements:\nBe brief.',
      ].join('\n\n'),
    )
  })

  it('Optional sections of the generated text are there only if filled.', () => {
    expect(
      buildPrompt({ aiTask: 'Write a parser.', userPrefs: '', standards: ' \n', feedback: 'Be brief.' }),
    ).toBe('Task:\nWrite a parser.\n\nFeedback Requirements:\nBe brief.')
  })

  it('trims what stands around a section and keeps its lines', () => {
    expect(buildPrompt({ aiTask: '\n Write:\n\n- a parser \n' })).toBe('Task:\nWrite:\n\n- a parser')
  })
})
