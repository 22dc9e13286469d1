/** The results in the order of the items, with no more than `limit` of them worked on at the same time. */
export async function mapAtOnce<T, R>({
  items,
  limit,
  work,
}: {
  items: readonly T[]
  limit: number
  work: (item: T) => Promise<R>
}): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const worker = async (): Promise<void> => {
    for (const [place, item] of rest) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
