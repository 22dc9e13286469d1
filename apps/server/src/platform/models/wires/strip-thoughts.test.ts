import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createThoughtStripper } from './strip-thoughts.ts'

function strip(pieces: readonly string[]): string {
  const stripper = createThoughtStripper()
  return pieces.map((piece) => stripper.take(piece)).join('') + stripper.end()
}

it.each([
  ['<think>Hm.</think>\n\nParis', 'Paris'],
  ['\n <think>\nHm. <b> </thin> </think> Paris </think>', 'Paris </think>'],
  ['<think></think>Paris', 'Paris'],
  ['Paris <think>Hm.</think>', 'Paris <think>Hm.</think>'],
  ['<think>a</think><think>b</think>c', '<think>b</think>c'],
  ['<thinking>Hm.</thinking>', '<thinking>Hm.</thinking>'],
  ['<thi', '<thi'],
  [' \n', ' \n'],
  ['', ''],
  ['<think>Hm.</think>', ''],
  // Of thoughts without an end nothing is lost.
  ['<think>Paris', '<think>Paris'],
])(
  'Thoughts in `<think>…</think>` that an answer begins with are no part of it, for models that are set so. (%j, %j)',
  (text, answer) => {
    expect(strip([text])).toBe(answer)
    expect(strip([...text])).toBe(answer)
    const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 4 })
    fc.assert(
      fc.property(cuts, (places) => {
        const at = [0, ...places.toSorted((one, other) => one - other), text.length]
        expect(strip(at.slice(1).map((end, index) => text.slice(at[index], end)))).toBe(answer)
      }),
    )
  },
)
