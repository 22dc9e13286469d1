/** A column that a narrow list has for assistive technology only: in view it would leave no room for the names. */
export const FOLDED = {
  lg: '@max-lg:relative @max-lg:w-0 @max-lg:p-0 @max-lg:[&>*]:sr-only',
  xl: '@max-xl:relative @max-xl:w-0 @max-xl:p-0 @max-xl:[&>*]:sr-only',
  '2xl': '@max-2xl:relative @max-2xl:w-0 @max-2xl:p-0 @max-2xl:[&>*]:sr-only',
  '3xl': '@max-3xl:relative @max-3xl:w-0 @max-3xl:p-0 @max-3xl:[&>*]:sr-only',
}
