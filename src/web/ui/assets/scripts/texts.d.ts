// Style sheets that scripts bring along, as texts.
declare module '*.css' {
  const text: string
  export default text
}
