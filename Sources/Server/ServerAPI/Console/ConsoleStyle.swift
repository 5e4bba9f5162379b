/// What the console adds to the style sheet of the viewers' pages, whose colours and type it has.
enum ConsoleStyle {
    static let path = "/console.css"

    static let text = """
        .top, .bottom, main { max-width: 76rem; }
        main { padding-block-end: 2rem; }
        nav ul { display: flex; flex-wrap: wrap; gap: 0 0.25rem; margin: 0; padding: 0; list-style: none; }
        nav a, nav button { display: inline-flex; align-items: center; min-height: 2.75rem; padding-inline: 0.625rem;
          border: 0; border-radius: 0.625rem; background: none; color: var(--accent); font: inherit;
          text-decoration: none; cursor: pointer; }
        nav a:hover, nav button:hover { background: var(--tint); }
        nav a[aria-current] { background: var(--tint); color: var(--ink); font-weight: 650; }
        h2 { margin-top: 0; font-size: 1.1875rem; }
        .card { --inset: clamp(0.75rem, 3vw, 1.5rem); margin-bottom: 1rem; }
        .sides { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
        .narrow { max-width: 30rem; }
        .card > :last-child { margin-bottom: 0; }
        .funnel, .rows { margin: 0 0 1rem; padding: 0; list-style: none; }
        .funnel li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
          margin-bottom: 0.625rem; }
        .step { display: block; width: 100%; height: 0.625rem; border-radius: 0.3125rem; }
        .track { fill: var(--line); }
        .done { fill: var(--accent); }
        .made { fill: var(--edge); }
        .ground { fill: var(--ground); }
        figure { margin: 1.25rem 0 1rem; }
        .plot { display: block; width: 100%; height: 7rem; }
        .key { display: inline-block; width: 0.75rem; height: 0.75rem; }
        .axis, figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0;
          color: var(--quiet); font-size: 0.875rem; }
        figcaption { justify-content: start; margin-top: 0.25rem; }
        .figures, .rows dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8rem), 1fr));
          gap: 0.5rem 1rem; margin: 0 0 1rem; }
        .rows dl { grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); margin: 0.25rem 0 0; }
        dt { color: var(--quiet); font-size: 0.875rem; font-weight: 400; }
        dd { margin: 0; overflow-wrap: anywhere; }
        .figures dd { font-size: 1.25rem; font-weight: 650; }
        .rows > li { padding-block: 0.75rem; border-top: 1px solid var(--line); }
        .rows > li:first-child { border-top: 0; }
        .rows h3 { margin: 0; font-size: 1.0625rem; }
        .row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; }
        .row h3 { flex: 1 1 8rem; min-width: 0; overflow-wrap: anywhere; }
        .row .button { width: auto; min-height: 2.5rem; padding: 0.25rem 1rem; font-size: 1rem; }
        .code-text { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; }
        dd.code-text { font-size: 0.875rem; }
        .fields { display: grid; gap: 0 1rem; margin-bottom: 0.75rem; align-items: end;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
        .fields label { margin-top: 0.5rem; }
        .fields .button { margin-top: 1rem; }
        """
}
