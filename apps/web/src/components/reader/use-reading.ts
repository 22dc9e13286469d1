import { useEffect, useState } from 'react'
import { cachedReading, type Reading, read } from './reader.ts'
import type { ReaderTask, ReaderTasks } from './reader-tasks.ts'

interface Shown<Task extends ReaderTask> {
  text: string
  isWriting: boolean
  reading: Reading<Task>
}

export interface UseReadingOptions<Task extends ReaderTask> {
  task: Task
  input: ReaderTasks[Task]['input']
  /** What the input was made from: it is read again when this changes. */
  text: string
  /** The text grows: what was read of its beginning stays until more of it is read. */
  isWriting?: boolean
}

export function useReading<Task extends ReaderTask>({
  task,
  input,
  text,
  isWriting = false,
}: UseReadingOptions<Task>): Reading<Task> | undefined {
  const [shown, setShown] = useState<Shown<Task>>()
  const isBeginning = shown !== undefined && shown.text !== '' && text.startsWith(shown.text)
  const isRead = isBeginning && shown.text === text && shown.isWriting === isWriting
  // A text that was refused while it is written isn't tried again with each word.
  const isGivenUp = isBeginning && isWriting && shown.isWriting && shown.reading.kind === 'refused'
  useEffect(() => {
    if (isRead || isGivenUp) return
    const unwanted = new AbortController()
    let isGone = false
    void read({ task, input, signal: unwanted.signal }).then((reading) => {
      if (!isGone) setShown({ text, isWriting, reading })
    })
    return () => {
      unwanted.abort()
      isGone = !isWriting
    }
  }, [task, input, text, isWriting, isRead, isGivenUp])
  if (isRead || isGivenUp) return shown.reading
  return cachedReading({ task, input }) ?? (isBeginning ? shown.reading : undefined)
}
