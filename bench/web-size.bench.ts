import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { print } from './lib/measure.ts'

const dist = join(import.meta.dirname, '../apps/web/dist')

// What a browser must have before the first screen shows: the scripts that index.html names, and the modules they preload.
const page = await readFile(join(dist, 'index.html'), 'utf8')
const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].flatMap(([, file]) => file ?? [])
let bytes = 0
for (const file of new Set(files)) bytes += gzipSync(await readFile(join(dist, file)), { level: 9 }).length
print({ figure: 'entry JavaScript, gzipped', value: `${(bytes / 1000).toFixed(1)} kB`, target: '≤ 150 kB' })
