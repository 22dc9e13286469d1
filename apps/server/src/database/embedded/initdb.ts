import { openPglite } from './pglite.ts'

// A process of its own: makes a database in the empty directory that it is given.
const [directory = ''] = process.argv.slice(2)
const pglite = await openPglite({ directory, fsync: false, onExit: () => {} })
await pglite.close()
