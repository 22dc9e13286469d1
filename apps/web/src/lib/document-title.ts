import { useEffect } from 'react'

/** Names the page in the browser's tab while it is shown. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title
    document.title = `${title} – Catenary`
    return () => {
      document.title = before
    }
  }, [title])
}
