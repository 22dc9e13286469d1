/** Stands for the program in a drill: restores as it does, into a directory whose disk fills up in the middle of that. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A restored database takes more, by its log alone nearly as much. */
const DISK_BYTES = 20 * 1024 ** 2
const fileAt = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const child = spawn(process.execPath, [fileAt('../../main.ts'), ...process.argv.slice(2)], {
  env: {
    ...process.env,
    SMALL_DISK_ROOT: process.env.DATA_DIR,
    SMALL_DISK_SIZE: String(DISK_BYTES),
    NODE_OPTIONS: `--import=${fileAt('./small-disk.ts')}`,
  },
  stdio: ['ignore', 'inherit', 'inherit'],
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
  process.disconnect()
})
