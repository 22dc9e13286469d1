import { ENTRY_MAX_BYTES, entryBytes } from '../scripts/lib/web-build.mjs'
import { print } from './lib/measure.ts'

print({
  figure: 'entry JavaScript, gzipped',
  value: `${(entryBytes() / 1000).toFixed(1)} kB`,
  target: `≤ ${ENTRY_MAX_BYTES / 1000} kB`,
})
