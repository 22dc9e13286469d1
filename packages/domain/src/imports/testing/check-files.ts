import { entryName, PROMPT_TITLE_MAX, savePromptRequest, VERSION_NOTE_MAX } from '@catenary/contracts'
import fc from 'fast-check'
import { expect } from 'vitest'
import { ImportError } from '../../promptfoo/draft.ts'
import { readFiles } from '../read-files.ts'
import { anyFile } from './import-arbitraries.ts'

/** Whatever is read can be saved as it is, but for the model. */
export function checkFiles(numRuns: number, seed?: number): void {
  fc.assert(
    fc.property(fc.array(anyFile, { minLength: 1, maxLength: 3 }), (files) => {
      let read: ReturnType<typeof readFiles>
      try {
        read = readFiles(files)
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError)
        return
      }
      for (const { prompts, losses, problem } of read) {
        if (problem !== null) expect(prompts).toEqual([])
        for (const { title, content, settings, tags, category = 'General', note } of prompts) {
          const { model: _, ...own } = settings
          expect(
            savePromptRequest.safeParse({ title, content, categoryId: 1, note, ...own }).error,
          ).toBeUndefined()
          expect(title.length).toBeLessThanOrEqual(PROMPT_TITLE_MAX)
          expect(note.length).toBeLessThanOrEqual(VERSION_NOTE_MAX)
          for (const name of [category, ...tags])
            expect(entryName.safeParse(name).error, name).toBeUndefined()
          expectStorable([title, content, own, tags])
        }
        for (const { at, reason } of losses) {
          expect(at.length).toBeLessThan(2_000)
          expect(reason).toMatch(/\S{1,}/)
        }
      }
    }),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
}

/** No text has what a database does not keep. */
function expectStorable(value: unknown): void {
  JSON.stringify(value, (key, each: unknown) => {
    for (const text of [key, each]) {
      if (typeof text === 'string') expect(text.isWellFormed() && !text.includes('\0')).toBe(true)
    }
    return each
  })
}
