/** Tells assistive technology how much is chosen, each time that it changes. */
export function SelectionStatus({ count }: { count: number }) {
  return (
    <p role="status" className="sr-only">
      {count > 0 && `${count} selected`}
    </p>
  )
}
