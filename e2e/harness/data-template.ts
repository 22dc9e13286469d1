import { DATA_TEMPLATE, startServer } from './server.ts'

/** Starts the program once, for a data directory that the run's servers begin with: making a database takes seconds. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startServer()
  await server.stop()
  // Test files run in processes that inherit the environment.
  process.env[DATA_TEMPLATE] = server.dataDir
  return server.dispose
}
