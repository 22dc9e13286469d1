import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { createRoomWatch } from './rehearse.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'catenary-room-'))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Moves a folder of folders away and back, as a restore does with a database, until it is ended. */
const MOVING = `
  const { mkdirSync, renameSync } = require('node:fs')
  const { parentPort, workerData: place } = require('node:worker_threads')
  for (let count = 0; count < 4; count += 1) mkdirSync(place + '/here/' + count + '/inside', { recursive: true })
  parentPort.postMessage('moving')
  for (;;) {
    renameSync(place + '/here', place + '/there')
    renameSync(place + '/there', place + '/here')
  }`
const LOOKS = 3_000

test('folders that come and go while they are counted count as nothing', async () => {
  writeFileSync(path.join(directory, 'before'), 'x'.repeat(100))
  const watch = createRoomWatch(directory)
  watch.begin()
  const worker = new Worker(MOVING, { eval: true, workerData: directory })
  await new Promise((resolve) => worker.once('message', resolve))
  try {
    for (let count = 0; count < LOOKS; count += 1) watch.measure()
  } finally {
    watch.end()
    await worker.terminate()
  }
  mkdirSync(path.join(directory, 'deep/er'), { recursive: true })
  writeFileSync(path.join(directory, 'deep/er/file'), 'x'.repeat(50))
  watch.measure()
  expect(watch.growth()).toBe(50)
})
