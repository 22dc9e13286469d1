import { changedFiles, testsOf } from './lib/changed.ts'
import { root } from './lib/root.mjs'

const [since = 'HEAD'] = process.argv.slice(2)
const changed = changedFiles(root, since)
const journeys = changed.filter((file) => file.endsWith('.journey.ts'))
console.log([...testsOf(root, changed), ...journeys].join('\n'))
