import { expect, test } from 'vitest'
import { excessOf, startMeasuring, tableOf } from '../../testing/worst-bodies/measure-bodies.ts'

const SHOWN = 60

test('the worst bodies that can be made for each operation keep nobody waiting', async () => {
  const measuring = await startMeasuring((bodies) => bodies)
  try {
    const rows = await measuring.measureAll(({ anything, own }) => [...anything, ...own])
    console.info(`${rows.length} bodies; the dearest until their handler runs:\n${tableOf(rows, SHOWN)}`)
    const excess = rows.filter((row) => excessOf(row) !== undefined)
    expect(tableOf(excess, excess.length)).toBe('')
  } finally {
    await measuring.close()
  }
}, 3_600_000)
