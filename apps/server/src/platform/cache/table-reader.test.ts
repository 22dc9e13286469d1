import { expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { createTableReader } from './table-reader.ts'

const log = createLog({ level: 'silent' })

function setUp() {
  const readings: PromiseWithResolvers<void>[] = []
  let tell: (change: { table: string; ids: number[] | null } | null) => void = () => {}
  const reader = createTableReader({
    table: 'models',
    rowChanges: {
      isListening: true,
      subscribe: (onChange) => {
        tell = onChange
      },
    },
    log,
    read: () => {
      const reading = Promise.withResolvers<void>()
      readings.push(reading)
      return reading.promise
    },
  })
  return {
    reader,
    readings,
    tell: (table: string | null) => tell(table === null ? null : { table, ids: null }),
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('who asks while it is read waits for one more reading, however many ask', async () => {
  const { reader, readings } = setUp()
  const resolved: string[] = []
  void reader.refresh().then(() => resolved.push('first'))
  void reader.refresh().then(() => resolved.push('second'))
  void reader.refresh().then(() => resolved.push('third'))
  expect(readings).toHaveLength(1)
  readings[0]?.resolve()
  await turn()
  expect([readings.length, resolved]).toEqual([2, []])
  readings[1]?.resolve()
  await turn()
  expect([readings.length, resolved]).toEqual([2, ['first', 'second', 'third']])
})

test('it is read anew after changes of its table and after those that may have been missed, and no others', async () => {
  const { reader, readings, tell } = setUp()
  const begun = reader.begin()
  readings[0]?.resolve()
  await begun
  tell('users')
  expect(readings).toHaveLength(1)
  tell('models')
  readings[1]?.resolve()
  await turn()
  tell(null)
  expect(readings).toHaveLength(3)
  readings[2]?.resolve()
})

test('a reading that fails is told to who asked, and the next one is begun as if it had not been', async () => {
  const { reader, readings } = setUp()
  const failed = reader.refresh()
  readings[0]?.reject(new Error('away'))
  await expect(failed).rejects.toThrow('away')
  const again = reader.refresh()
  readings[1]?.resolve()
  await expect(again).resolves.toBeUndefined()
})
