/** What the database needs of the program's log. */
export type DatabaseLog = {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
