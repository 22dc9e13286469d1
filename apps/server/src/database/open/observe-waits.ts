import type pg from 'pg'

type Callback = (...answer: [Error | undefined, pg.PoolClient | undefined, () => void]) => void
type Connect = (callback?: Callback) => Promise<pg.PoolClient> | undefined

export function observeWaits(pool: pg.Pool, onWait: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as Connect
  const timed: Connect = (callback) => {
    const start = performance.now()
    const end = () => onWait((performance.now() - start) / 1000)
    if (callback === undefined) return connect()?.finally(end)
    return connect((...answer) => {
      end()
      callback(...answer)
    })
  }
  pool.connect = timed as pg.Pool['connect']
}
