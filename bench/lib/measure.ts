/** One line of the bench table. */
export interface Row {
  figure: string
  value: string
  floor?: string
  ratio?: string
  target?: string
}

/** Prints a row in the form that `npm run bench` collects. */
export function print(row: Row): void {
  console.log(`row ${JSON.stringify(row)}`)
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}

/** Runs the contenders in turn, A B A B …, after a warm-up; returns the milliseconds of each run by name. */
export async function interleave<Name extends string>({
  contenders,
  warmup,
  rounds,
}: {
  contenders: Record<Name, () => Promise<number>>
  warmup: number
  rounds: number
}): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < warmup + rounds; round += 1) {
    for (const name of names) {
      const time = await contenders[name]()
      if (round >= warmup) times[name].push(time)
    }
  }
  return times
}
