<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AccessibleTexts</name>
    <message>
        <source>In view: %1 to %2 of %3</source>
        <translation>Im Bild: %1 bis %2 von %3</translation>
    </message>
</context>
<context>
    <name>AnalysisTable</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>Captures</name>
    <message>
        <source>PyTorch profiler</source>
        <translation>PyTorch-Profiler</translation>
    </message>
    <message>
        <source>Nsight Systems</source>
        <translation>Nsight Systems</translation>
    </message>
    <message>
        <source>nsys stats text</source>
        <translation>Text von nsys stats</translation>
    </message>
    <message>
        <source>digests</source>
        <translation>Digests</translation>
    </message>
    <message>
        <source>Flight Recorder</source>
        <translation>Flight Recorder</translation>
    </message>
    <message>
        <source>XLA profiler</source>
        <translation>XLA-Profiler</translation>
    </message>
    <message>
        <source>ROCm profiler</source>
        <translation>ROCm-Profiler</translation>
    </message>
    <message>
        <source>NCCL Inspector</source>
        <translation>NCCL Inspector</translation>
    </message>
    <message>
        <source>operation timeline</source>
        <translation>Operations-Zeitachse</translation>
    </message>
    <message>
        <source>execution trace</source>
        <translation>Execution Trace</translation>
    </message>
    <message>
        <source>memory snapshot</source>
        <translation>Speicher-Snapshot</translation>
    </message>
</context>
<context>
    <name>ColourTexts</name>
    <message>
        <source>under half as long</source>
        <translation>unter halb so lang</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>wie üblich</translation>
    </message>
    <message>
        <source>over twice as long as usual of its name</source>
        <translation>über doppelt so lang wie bei seinem Namen üblich</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>GPU kernel</source>
        <translation>GPU-Kernel</translation>
    </message>
    <message>
        <source>memory copy</source>
        <translation>Speicherkopie</translation>
    </message>
    <message>
        <source>memory set</source>
        <translation>Memset</translation>
    </message>
    <message>
        <source>annotation on the GPU</source>
        <translation>Annotation auf der GPU</translation>
    </message>
    <message>
        <source>GPU synchronisation</source>
        <translation>GPU-Synchronisation</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>annotation</source>
        <translation>Annotation</translation>
    </message>
    <message>
        <source>runtime call</source>
        <translation>Runtime-Aufruf</translation>
    </message>
    <message>
        <source>driver call</source>
        <translation>Treiberaufruf</translation>
    </message>
    <message>
        <source>Python frame</source>
        <translation>Python-Frame</translation>
    </message>
    <message>
        <source>profiler overhead</source>
        <translation>Profiler-Overhead</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>other event</source>
        <translation>anderes Ereignis</translation>
    </message>
    <message>
        <source>graph launch</source>
        <translation>Graph-Launch</translation>
    </message>
    <message>
        <source>operator of a captured graph</source>
        <translation>Operator eines erfassten Graphen</translation>
    </message>
    <message>
        <source>scope of a captured graph</source>
        <translation>Bereich eines erfassten Graphen</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>memcpy</source>
        <translation>Memcpy</translation>
    </message>
    <message>
        <source>memset</source>
        <translation>Memset</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>gemm</source>
        <translation>GEMM</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>normalisation</source>
        <translation>Normalisierung</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>Elementweise</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <source>optimiser</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>triton</source>
        <translation>Triton</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>gemischt</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>waiting for other ranks</source>
        <translation>Warten auf andere Ränge</translation>
    </message>
    <message>
        <source>launch delays</source>
        <translation>Launch-Verzögerungen</translation>
    </message>
    <message>
        <source>waiting for the host</source>
        <translation>Warten auf den Host</translation>
    </message>
    <message>
        <source>culprit</source>
        <translation>Verursacher</translation>
    </message>
    <message>
        <source>possible</source>
        <translation>möglich</translation>
    </message>
    <message>
        <source>deadlock</source>
        <translation>Deadlock</translation>
    </message>
    <message>
        <source>no dump read</source>
        <translation>kein Dump gelesen</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>not waiting</source>
        <translation>wartet nicht</translation>
    </message>
    <message>
        <source>added</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfallen</translation>
    </message>
    <message>
        <source>increased</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>decreased</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Iteration time</source>
        <translation>Iterationszeit</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Tokens of one step (global batch x sequence length) over the mean iteration time.</source>
        <translation>Token eines Schritts (globaler Batch x Sequenzlänge) über die mittlere Iterationszeit.</translation>
    </message>
    <message>
        <source>Model FLOP/s utilisation</source>
        <translation>FLOP/s-Auslastung des Modells</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Zeit bis zum ersten Token</translation>
    </message>
    <message>
        <source>Time per output token</source>
        <translation>Zeit je Ausgabe-Token</translation>
    </message>
    <message>
        <source>Inter-token latency</source>
        <translation>Latenz zwischen Token</translation>
    </message>
    <message>
        <source>Serving throughput</source>
        <translation>Durchsatz beim Serving</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>GPU idle time</source>
        <translation>Leerlauf der GPU</translation>
    </message>
    <message>
        <source>Compute share of GPU time</source>
        <translation>Anteil des Rechnens an der GPU-Zeit</translation>
    </message>
    <message>
        <source>Time in which computation runs, as a share of the time from the first GPU event&apos;s start to the last one&apos;s end, mean over ranks; the rest is idle or communication and copies that nothing hides (HTA&apos;s temporal breakdown, exact and without its step filter).</source>
        <translation>Zeit, in der gerechnet wird, als Anteil der Zeit vom Beginn des ersten bis zum Ende des letzten GPU-Ereignisses, Mittel über Ränge; der Rest ist Leerlauf oder unverdeckte Kommunikation und Kopien (temporal breakdown von HTA, exakt und ohne dessen Filter nach Schritten).</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Communication hidden by computation</source>
        <translation>Durch Rechnen verdeckte Kommunikation</translation>
    </message>
    <message>
        <source>Time in which communication and computation run at once, as a share of the time in which communication runs, mean over the ranks that communicate.</source>
        <translation>Zeit, in der Kommunikation und Rechnen zugleich laufen, als Anteil der Zeit, in der Kommunikation läuft, Mittel über die Ränge, die kommunizieren.</translation>
    </message>
    <message>
        <source>Idle time that waits for the host</source>
        <translation>Leerlauf, der auf den Host wartet</translation>
    </message>
    <message>
        <source>Collective calls</source>
        <translation>Aufrufe von Kollektiven</translation>
    </message>
    <message>
        <source>Communication kernels on the GPU, one per collective call (a batched send and receive is one), total over ranks. calls_per_iteration: per rank, those launched inside profiler steps. on_host: collectives that run on the host (Gloo, calls of oneCCL), which are not in the value.</source>
        <translation>Kommunikationskernel auf der GPU, einer je Aufruf (ein gebündeltes Senden und Empfangen ist einer), Summe über Ränge. calls_per_iteration: je Rang die in Profilerschritten gestarteten. on_host: kollektive Aufrufe, die auf dem Host laufen (Gloo, Aufrufe von oneCCL) und nicht im Wert sind.</translation>
    </message>
    <message>
        <source>Straggler lag</source>
        <translation>Verzug der Nachzügler</translation>
    </message>
    <message>
        <source>Last arrival minus first arrival at a collective, mean over the collectives that every traced member of their group ran. worst_rank: whose late arrivals made the others wait longest; late_rank: the same, where that is clearly more than its share, with what each other rank waited for it.</source>
        <translation>Letzte minus erste Ankunft bei einer Kollektive, Mittel über die Kollektiven, die jedes aufgezeichnete Mitglied ihrer Gruppe ausführte. worst_rank: wessen späte Ankünfte die anderen am längsten warten ließen; late_rank: dasselbe, wo es deutlich mehr als sein Anteil ist, mit dem, was jeder andere Rang auf ihn wartete.</translation>
    </message>
    <message>
        <source>Slowdown by stragglers</source>
        <translation>Verlangsamung durch Nachzügler</translation>
    </message>
    <message>
        <source>Mean step replayed with the recorded operations, over the mean step with all operations of a type equally long. None where more than half of the recorded step is no operation.</source>
        <translation>Mittlerer Schritt, nachgerechnet mit den aufgezeichneten Operationen, über den mittleren Schritt, in dem alle Operationen eines Typs gleich lang sind. Kein Wert, wo mehr als die Hälfte des aufgezeichneten Schritts keine Operation ist.</translation>
    </message>
    <message>
        <source>Bus bandwidth</source>
        <translation>Busbandbreite</translation>
    </message>
    <message>
        <source>Bytes on the bus (message size times 2(n-1)/n for all-reduce, (n-1)/n for all-gather, reduce-scatter and all-to-all) divided by the shortest duration among the members, over all collectives of known size.</source>
        <translation>Bytes auf dem Bus (Nachrichtengröße mal 2(n-1)/n bei All-Reduce, (n-1)/n bei All-Gather, Reduce-Scatter und All-to-All) geteilt durch die kürzeste Dauer unter den Mitgliedern, über alle Kollektiven bekannter Größe.</translation>
    </message>
    <message>
        <source>Parallel efficiency</source>
        <translation>Parallele Effizienz</translation>
    </message>
    <message>
        <source>Pipeline bubble</source>
        <translation>Pipeline-Bubble</translation>
    </message>
    <message>
        <source>Share of a step&apos;s GPU window in which a rank computes nothing because it waits for a message of its pipeline neighbours, mean over ranks. ideal_percent: (stages - 1) / (microbatches + stages - 1).</source>
        <translation>Anteil des GPU-Fensters eines Schritts, in dem ein Rang nichts rechnet, weil er auf eine Nachricht seiner Nachbarn in der Pipeline wartet, Mittel über Ränge. ideal_percent: (Stufen - 1) / (Mikrobatches + Stufen - 1).</translation>
    </message>
    <message>
        <source>Traffic per step</source>
        <translation>Datenverkehr je Schritt</translation>
    </message>
    <message>
        <source>Bytes of the messages of all collective calls of all ranks, per step or repetition (of the whole window where neither is known); details: by dimension of the parallel mesh, kind and process group.</source>
        <translation>Bytes der Nachrichten aller Kollektiven aller Ränge, je Schritt oder Wiederholung (des ganzen Fensters, wo keines von beiden bekannt ist); Details: nach Dimension des Mesh, Art und Prozessgruppe.</translation>
    </message>
    <message>
        <source>Traffic window</source>
        <translation>Fenster zwischen Kollektiven</translation>
    </message>
    <message>
        <source>Expert imbalance</source>
        <translation>Ungleichgewicht der Experten</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Summed GPU work</source>
        <translation>Summierte GPU-Arbeit</translation>
    </message>
    <message>
        <source>Durations of all kernels, copies and sets of a rank added up, also where they overlap, mean over ranks. Details: shares by class and kind of computation, time per combination of classes, and the kernels that take the most.</source>
        <translation>Dauern aller Kernel, Kopien und Memsets eines Rangs zusammengezählt, auch wo sie sich überlappen, Mittel über Ränge. Details: Anteile nach Klasse und Art des Rechnens, Zeit je Kombination von Klassen und die Kernel, die am meisten nehmen.</translation>
    </message>
    <message>
        <source>Delay from launch to start</source>
        <translation>Verzögerung vom Launch zum Beginn</translation>
    </message>
    <message>
        <source>From the start of a launch call to the start of what it launched, mean over launches. Long delays mean full queues, which is good; short ones with idle time mean the host is late. Details: durations of calls, short kernels, queue lengths of every stream over time.</source>
        <translation>Vom Beginn eines Launch-Aufrufs bis zum Beginn dessen, was er gestartet hat, Mittel über Launches. Lange Verzögerungen bedeuten volle Warteschlangen, das ist gut; kurze mit Leerlauf bedeuten, dass der Host spät ist. Details: Dauern der Aufrufe, kurze Kernel, Längen der Warteschlangen jedes Streams über der Zeit.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Peak memory allocated</source>
        <translation>Spitze des belegten Speichers</translation>
    </message>
    <message>
        <source>Largest total the allocator of a GPU recorded, over all ranks. Details: reserved memory, what was live at the peak, and bytes and bandwidth of copies by kind.</source>
        <translation>Größte Summe, die der Allokator einer GPU aufgezeichnet hat, über alle Ränge. Details: reservierter Speicher, was bei der Spitze belegt war, und Bytes und Bandbreite der Kopien nach Art.</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>GPU work with a known operator</source>
        <translation>GPU-Arbeit mit bekanntem Operator</translation>
    </message>
    <message>
        <source>Share of summed GPU work whose CPU operator is known. Details: the operators that launched it, by inputs where those are recorded, with the union of what each call launched, and the outermost operators around them.</source>
        <translation>Anteil der summierten GPU-Arbeit, deren CPU-Operator bekannt ist. Details: die Operatoren, die sie gestartet haben, nach Eingaben, wo diese aufgezeichnet sind, mit der Vereinigung dessen, was jeder Aufruf gestartet hat, und die äußersten Operatoren darum.</translation>
    </message>
    <message>
        <source>GPU time in modules</source>
        <translation>GPU-Zeit in Modulen</translation>
    </message>
    <message>
        <source>Summed time of the GPU work launched inside modules of the model that Python frames or the capture of a graph name, of that of all GPU work; beside it the modules with their kernels&apos; time and what they allocated.</source>
        <translation>Summierte Zeit der GPU-Arbeit, die in Modulen des Modells gestartet wurde, die Python-Frames oder die Aufzeichnung eines Graphen nennen, von der aller GPU-Arbeit; daneben die Module mit der Zeit ihrer Kernel und dem, was sie angelegt haben.</translation>
    </message>
    <message>
        <source>Rate of matrix operators</source>
        <translation>Rate der Matrixoperatoren</translation>
    </message>
    <message>
        <source>GPU time in graphs</source>
        <translation>GPU-Zeit in Graphen</translation>
    </message>
    <message>
        <source>Summed time of the kernels, copies and sets that launches of CUDA or HIP graphs ran, of that of all GPU work; beside it how much of it the capture of the graphs attributes to operators.</source>
        <translation>Summierte Zeit der Kernel, Kopien und Memsets, die Launches von CUDA- oder HIP-Graphen ausführten, von der aller GPU-Arbeit; daneben, wie viel davon die Aufzeichnung der Graphen Operatoren zuordnet.</translation>
    </message>
    <message>
        <source>SM coverage</source>
        <translation>SM-Abdeckung</translation>
    </message>
    <message>
        <source>Mean of min(blocks per SM, 1) over all kernels, weighted by their duration; details have the estimated achieved occupancy, and the active multiprocessors where Nsight Systems sampled them (the value, where nothing else is known).</source>
        <translation>Mittel von min(Blöcke je SM, 1) über alle Kernel, gewichtet mit ihrer Dauer; in den Details die geschätzte erreichte Occupancy und die aktiven Multiprozessoren, wo Nsight Systems sie gemessen hat (der Wert, wo nichts anderes bekannt ist).</translation>
    </message>
    <message>
        <source>Load balance</source>
        <translation>Lastverteilung</translation>
    </message>
    <message>
        <source>Communication efficiency</source>
        <translation>Kommunikationseffizienz</translation>
    </message>
    <message>
        <source>Serialisation efficiency</source>
        <translation>Serialisierungseffizienz</translation>
    </message>
    <message>
        <source>Transfer efficiency</source>
        <translation>Übertragungseffizienz</translation>
    </message>
    <message>
        <source>the lowest factor below</source>
        <translation>dem kleinsten Faktor darunter</translation>
    </message>
    <message>
        <source>its two factors</source>
        <translation>seinen beiden Faktoren</translation>
    </message>
    <message>
        <source>waits that a faster network does not shorten: the order of work, pipeline bubbles, the host</source>
        <translation>Warten, das ein schnelleres Netz nicht verkürzt: Reihenfolge der Arbeit, Pipeline-Bubbles, Host</translation>
    </message>
    <message>
        <source>the network: sizes of messages, and what could hide them</source>
        <translation>dem Netz: Größe der Nachrichten, und was sie verdecken könnte</translation>
    </message>
    <message>
        <source>A configuration file, or a part of it, is not valid or lacks its values.</source>
        <translation>Eine Konfigurationsdatei oder ein Teil davon ist ungültig, oder ihr fehlen Werte.</translation>
    </message>
    <message>
        <source>Correct the file; the traces are not affected.</source>
        <translation>Korrigieren Sie die Datei; die Traces sind nicht betroffen.</translation>
    </message>
    <message>
        <source>The clocks of the ranks are days apart.</source>
        <translation>Die Uhren der Ränge liegen Tage auseinander.</translation>
    </message>
    <message>
        <source>Check the time service of the nodes. Compare times of different ranks only where collectives align them.</source>
        <translation>Prüfen Sie den Zeitdienst der Knoten. Vergleichen Sie Zeiten verschiedener Ränge nur, wo Kollektiven sie ausrichten.</translation>
    </message>
    <message>
        <source>A configuration file is larger than any configuration; it was not read.</source>
        <translation>Eine Konfigurationsdatei ist größer als jede Konfiguration; sie wurde nicht gelesen.</translation>
    </message>
    <message>
        <source>Remove it from the run&apos;s folder, or shorten it.</source>
        <translation>Entfernen Sie sie aus dem Ordner des Laufs, oder kürzen Sie sie.</translation>
    </message>
    <message>
        <source>The text of nsys stats cuts off the device&apos;s number; its rows count for device 0.</source>
        <translation>Der Text von nsys stats schneidet die Nummer des Geräts ab; seine Zeilen zählen für Gerät 0.</translation>
    </message>
    <message>
        <source>Print the report as CSV.</source>
        <translation>Geben Sie den Report als CSV aus.</translation>
    </message>
    <message>
        <source>A key beside the events of a trace is not valid JSON; it was ignored.</source>
        <translation>Ein Schlüssel neben den Ereignissen eines Trace ist kein gültiges JSON; er wurde übergangen.</translation>
    </message>
    <message>
        <source>Record again if the key matters.</source>
        <translation>Zeichnen Sie neu auf, wenn der Schlüssel wichtig ist.</translation>
    </message>
    <message>
        <source>A part of a table of the report cannot be read.</source>
        <translation>Ein Teil einer Tabelle des Reports kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Export the report again.</source>
        <translation>Exportieren Sie den Report neu.</translation>
    </message>
    <message>
        <source>Some ranks are digests, which keep a part of the CPU&apos;s events.</source>
        <translation>Einige Ränge sind Digests; sie enthalten nur einen Teil der CPU-Ereignisse.</translation>
    </message>
    <message>
        <source>Open the full traces to see all CPU events.</source>
        <translation>Öffnen Sie die vollen Traces, um alle CPU-Ereignisse zu sehen.</translation>
    </message>
    <message>
        <source>A rank was recorded more than once; one file is shown.</source>
        <translation>Ein Rang wurde mehrmals aufgezeichnet; eine Datei wird gezeigt.</translation>
    </message>
    <message>
        <source>Move the other recordings to folders of their own.</source>
        <translation>Legen Sie die anderen Aufzeichnungen in eigene Ordner.</translation>
    </message>
    <message>
        <source>The execution trace numbers its operators otherwise than the trace; they were joined by thread, order and name.</source>
        <translation>Der Execution Trace nummeriert seine Operatoren anders als der Trace; sie wurden über Thread, Reihenfolge und Namen verbunden.</translation>
    </message>
    <message>
        <source>The execution trace beside a trace cannot be read.</source>
        <translation>Der Execution Trace neben einem Trace kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Record it again.</source>
        <translation>Zeichnen Sie ihn neu auf.</translation>
    </message>
    <message>
        <source>The execution trace beside a trace is of another program.</source>
        <translation>Der Execution Trace neben einem Trace gehört zu einem anderen Programm.</translation>
    </message>
    <message>
        <source>Move it elsewhere.</source>
        <translation>Legen Sie ihn woandershin.</translation>
    </message>
    <message>
        <source>A capture of graphs beside a trace cannot be read.</source>
        <translation>Eine Aufzeichnung von Graphen neben einem Trace kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Record it again; until then kernels of replayed graphs have no operators.</source>
        <translation>Zeichnen Sie sie neu auf; bis dahin haben Kernel aus abgespielten Graphen keine Operatoren.</translation>
    </message>
    <message>
        <source>The capture of a graph does not name its kernels: operators were assigned by order and number alone.</source>
        <translation>Die Aufzeichnung eines Graphen nennt seine Kernel nicht: Operatoren wurden nur nach Reihenfolge und Anzahl zugeordnet.</translation>
    </message>
    <message>
        <source>Graphs were launched whose kernels are in no capture beside the trace.</source>
        <translation>Es wurden Graphen gestartet, deren Kernel in keiner Aufzeichnung neben dem Trace sind.</translation>
    </message>
    <message>
        <source>Record the captures of all graph sizes with the program that ran.</source>
        <translation>Zeichnen Sie alle Größen der Graphen mit dem Programm auf, das lief.</translation>
    </message>
    <message>
        <source>A log of GPUs beside the traces (clock, power, temperature) was joined to the ranks; the message says how its times were found, and how far its utilization is from the activity in the traces.</source>
        <translation>Ein Log von GPUs neben den Traces (Takt, Leistung, Temperatur) wurde den Rängen zugeordnet; die Meldung sagt, wie seine Zeiten gefunden wurden und wie weit seine Auslastung von der Aktivität in den Traces abweicht.</translation>
    </message>
    <message>
        <source>A log of GPUs beside the traces cannot be read, or some of its lines cannot.</source>
        <translation>Ein Log von GPUs neben den Traces oder einige seiner Zeilen können nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Record it again with the lines of docs/recording.md.</source>
        <translation>Nehmen Sie es mit den Zeilen aus docs/recording.md neu auf.</translation>
    </message>
    <message>
        <source>A log of GPUs beside the traces is not joined: whose GPUs it shows, or at which time, is not clear.</source>
        <translation>Ein Log von GPUs neben den Traces ist nicht zugeordnet: Wessen GPUs es zeigt oder zu welcher Zeit, ist nicht klar.</translation>
    </message>
    <message>
        <source>Put it into the folder of its machine&apos;s traces, and start it with the script of docs/recording.md, which writes host and time zone into it.</source>
        <translation>Legen Sie es in den Ordner der Traces seiner Maschine, und starten Sie es mit dem Skript aus docs/recording.md, das Host und Zeitzone hineinschreibt.</translation>
    </message>
    <message>
        <source>The base time of a trace is one that no clock shows; it was not added.</source>
        <translation>Die Basiszeit eines Trace zeigt keine Uhr; sie wurde nicht addiert.</translation>
    </message>
    <message>
        <source>The Inspector of NCCL overwrote records before they were written.</source>
        <translation>Der Inspector von NCCL hat Einträge überschrieben, bevor sie geschrieben waren.</translation>
    </message>
    <message>
        <source>Raise NCCL_INSPECTOR_DUMP_COLL_RING_SIZE, or dump more often.</source>
        <translation>Erhöhen Sie NCCL_INSPECTOR_DUMP_COLL_RING_SIZE, oder schreiben Sie öfter.</translation>
    </message>
    <message>
        <source>Records of the Inspector of NCCL match no collective of the traces.</source>
        <translation>Einträge des Inspectors von NCCL passen zu keiner Kollektive der Traces.</translation>
    </message>
    <message>
        <source>A step asked for by --iterations is not in a trace.</source>
        <translation>Ein mit --iterations verlangter Schritt ist nicht in einem Trace.</translation>
    </message>
    <message>
        <source>Ask for steps that the message lists.</source>
        <translation>Verlangen Sie Schritte, die die Meldung aufzählt.</translation>
    </message>
    <message>
        <source>Events that cannot be read, or have impossible times, are not shown.</source>
        <translation>Ereignisse, die nicht lesbar sind oder unmögliche Zeiten haben, werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>Record again if there are many.</source>
        <translation>Zeichnen Sie neu auf, wenn es viele sind.</translation>
    </message>
    <message>
        <source>The run needs more than the memory budget; some ranks are read from disk when looked at.</source>
        <translation>Der Lauf braucht mehr Speicher als erlaubt; einige Ränge werden von der Platte gelesen, wenn man sie ansieht.</translation>
    </message>
    <message>
        <source>The run needs more than the memory budget, and there is no room on disk.</source>
        <translation>Der Lauf braucht mehr Speicher als erlaubt, und auf der Platte ist kein Platz.</translation>
    </message>
    <message>
        <source>Free disk space, raise --memory, or open digests.</source>
        <translation>Schaffen Sie Platz auf der Platte, erhöhen Sie --memory, oder öffnen Sie Digests.</translation>
    </message>
    <message>
        <source>Copy the missing traces into the folder.</source>
        <translation>Kopieren Sie die fehlenden Traces in den Ordner.</translation>
    </message>
    <message>
        <source>A rank lacks profiler steps that others have; sums and means count the steps that each has.</source>
        <translation>Einem Rang fehlen Profilerschritte, die andere haben; Summen und Mittel zählen die Schritte, die jeder hat.</translation>
    </message>
    <message>
        <source>Record the same steps on all ranks.</source>
        <translation>Zeichnen Sie auf allen Rängen dieselben Schritte auf.</translation>
    </message>
    <message>
        <source>A table of the report is missing.</source>
        <translation>Eine Tabelle des Reports fehlt.</translation>
    </message>
    <message>
        <source>Events that end before they start count as instants.</source>
        <translation>Ereignisse, die enden, bevor sie beginnen, zählen als Zeitpunkte.</translation>
    </message>
    <message>
        <source>The report was exported with a newer schema than the newest known one.</source>
        <translation>Der Report wurde mit einem neueren Schema exportiert als dem neuesten bekannten.</translation>
    </message>
    <message>
        <source>Look for an update; export with an older nsys where something is missing.</source>
        <translation>Suchen Sie nach einer neueren Version; exportieren Sie mit einem älteren nsys, wo etwas fehlt.</translation>
    </message>
    <message>
        <source>A trace holds no events.</source>
        <translation>Ein Trace enthält keine Ereignisse.</translation>
    </message>
    <message>
        <source>Record again; see docs/recording.md.</source>
        <translation>Zeichnen Sie neu auf; siehe docs/recording.md.</translation>
    </message>
    <message>
        <source>Some ranks have no GPU events.</source>
        <translation>Einige Ränge haben keine GPU-Ereignisse.</translation>
    </message>
    <message>
        <source>Record with ProfilerActivity.CUDA, or --trace=cuda.</source>
        <translation>Zeichnen Sie mit ProfilerActivity.CUDA oder --trace=cuda auf.</translation>
    </message>
    <message>
        <source>The text of nsys stats has no launches and no ranges.</source>
        <translation>Der Text von nsys stats enthält keine Launches und keine Bereiche.</translation>
    </message>
    <message>
        <source>Open the report or its SQLite export instead.</source>
        <translation>Öffnen Sie stattdessen den Report oder seinen SQLite-Export.</translation>
    </message>
    <message>
        <source>The report does not say when it started.</source>
        <translation>Der Report sagt nicht, wann er begann.</translation>
    </message>
    <message>
        <source>An execution trace has no times; its operators are shown in order.</source>
        <translation>Ein Execution Trace hat keine Zeiten; seine Operatoren werden der Reihe nach gezeigt.</translation>
    </message>
    <message>
        <source>Open the Kineto trace beside it for times.</source>
        <translation>Öffnen Sie für Zeiten den Kineto-Trace daneben.</translation>
    </message>
    <message>
        <source>An object of the database is a view or the like, which is never run.</source>
        <translation>Ein Objekt der Datenbank ist eine Sicht oder Ähnliches; es wird nie ausgeführt.</translation>
    </message>
    <message>
        <source>Export the report with nsys itself.</source>
        <translation>Exportieren Sie den Report mit nsys selbst.</translation>
    </message>
    <message>
        <source>A file is named like a trace of a rank, but is none.</source>
        <translation>Eine Datei heißt wie ein Trace eines Rangs, ist aber keiner.</translation>
    </message>
    <message>
        <source>Remove or rename it.</source>
        <translation>Entfernen Sie sie, oder benennen Sie sie um.</translation>
    </message>
    <message>
        <source>A digest carries a notice that this version does not know.</source>
        <translation>Ein Digest enthält einen Hinweis, den diese Version nicht kennt.</translation>
    </message>
    <message>
        <source>Open it with the version that made it.</source>
        <translation>Öffnen Sie ihn mit der Version, die ihn gemacht hat.</translation>
    </message>
    <message>
        <source>NVTX ranges that were never closed are shown up to the last event.</source>
        <translation>NVTX-Bereiche, die nie geschlossen wurden, werden bis zum letzten Ereignis gezeigt.</translation>
    </message>
    <message>
        <source>Close them in the program.</source>
        <translation>Schließen Sie sie im Programm.</translation>
    </message>
    <message>
        <source>Operations of a timeline whose thread has no name that tells its rank are not shown.</source>
        <translation>Operationen einer Zeitachse, deren Thread keinen Namen mit seinem Rang hat, werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>Name the threads as in &quot;PP rank 0, TP rank 0, compute&quot;.</source>
        <translation>Benennen Sie die Threads wie in &quot;PP rank 0, TP rank 0, compute&quot;.</translation>
    </message>
    <message>
        <source>Processes of the report that do no GPU work are not shown.</source>
        <translation>Prozesse des Reports ohne GPU-Arbeit werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>A file was recorded at another time than those of the other ranks; the recording with the most ranks is shown.</source>
        <translation>Eine Datei wurde zu einer anderen Zeit aufgezeichnet als die der anderen Ränge; gezeigt wird die Aufzeichnung mit den meisten Rängen.</translation>
    </message>
    <message>
        <source>Move the files of each recording to a folder of their own.</source>
        <translation>Legen Sie die Dateien jeder Aufzeichnung in einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>The profiler that wrote the file reported a problem of its own.</source>
        <translation>Der Profiler, der die Datei schrieb, meldete selbst ein Problem.</translation>
    </message>
    <message>
        <source>Read the message; record again where events are missing.</source>
        <translation>Lesen Sie die Meldung; zeichnen Sie neu auf, wo Ereignisse fehlen.</translation>
    </message>
    <message>
        <source>A dump&apos;s name and the groups in it say different ranks; the name was taken.</source>
        <translation>Der Name eines Dumps und die Gruppen darin nennen verschiedene Ränge; der Name gilt.</translation>
    </message>
    <message>
        <source>Keep the names that PyTorch gives the dumps, and the dumps of one job in a folder.</source>
        <translation>Behalten Sie die Namen, die PyTorch den Dumps gibt, und die Dumps eines Jobs in einem Ordner.</translation>
    </message>
    <message>
        <source>Neither a file nor its name tells its rank; its place in the folder was taken.</source>
        <translation>Weder eine Datei noch ihr Name nennt ihren Rang; ihr Platz im Ordner gilt.</translation>
    </message>
    <message>
        <source>Name the files by rank (rank3.json).</source>
        <translation>Benennen Sie die Dateien nach dem Rang (rank3.json).</translation>
    </message>
    <message>
        <source>The processes and devices of one report were taken as ranks, by device.</source>
        <translation>Die Prozesse und Geräte eines Reports gelten als Ränge, nach Gerät.</translation>
    </message>
    <message>
        <source>Parts of a file are not valid JSON; they were repaired while reading.</source>
        <translation>Teile einer Datei sind kein gültiges JSON; sie wurden beim Lesen repariert.</translation>
    </message>
    <message>
        <source>A second workload card lies beside the traces; it is not used.</source>
        <translation>Neben den Traces liegt eine zweite Workload-Karte; sie wird nicht benutzt.</translation>
    </message>
    <message>
        <source>Keep one card per run.</source>
        <translation>Behalten Sie eine Karte je Lauf.</translation>
    </message>
    <message>
        <source>A rank has GPU work of several devices; they count as one GPU of the rank.</source>
        <translation>Ein Rang hat GPU-Arbeit von mehreren Geräten; sie zählen als eine GPU des Rangs.</translation>
    </message>
    <message>
        <source>Look at the streams of each device on the timeline. One process for each GPU is analysed by itself.</source>
        <translation>Sehen Sie sich auf der Zeitachse die Streams jedes Geräts an. Ein Prozess je GPU wird für sich ausgewertet.</translation>
    </message>
    <message>
        <source>The folder holds captures of several kinds; one kind is shown.</source>
        <translation>Der Ordner enthält Aufzeichnungen verschiedener Art; eine Art wird gezeigt.</translation>
    </message>
    <message>
        <source>Open the other with --profile-mode, or from the window&apos;s list.</source>
        <translation>Öffnen Sie die andere mit --profile-mode oder aus der Liste des Fensters.</translation>
    </message>
    <message>
        <source>An export is older than its report, and nsys is not installed.</source>
        <translation>Ein Export ist älter als sein Report, und nsys ist nicht installiert.</translation>
    </message>
    <message>
        <source>Install nsys, or export again.</source>
        <translation>Installieren Sie nsys, oder exportieren Sie neu.</translation>
    </message>
    <message>
        <source>Events days away from all others are not shown.</source>
        <translation>Ereignisse, die Tage von allen anderen entfernt sind, werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>The report has sums of kernels without times: a kernel table, no timeline.</source>
        <translation>Der Report enthält Summen von Kerneln ohne Zeiten: eine Kerneltabelle, keine Zeitachse.</translation>
    </message>
    <message>
        <source>Print cuda_gpu_trace, or open the report itself.</source>
        <translation>Geben Sie cuda_gpu_trace aus, oder öffnen Sie den Report selbst.</translation>
    </message>
    <message>
        <source>A report speaks of more devices than any machine has.</source>
        <translation>Ein Report nennt mehr Geräte, als irgendein Rechner hat.</translation>
    </message>
    <message>
        <source>A file ends early or is damaged; what follows the damage is missing.</source>
        <translation>Eine Datei endet früh oder ist beschädigt; was auf den Schaden folgt, fehlt.</translation>
    </message>
    <message>
        <source>Record again, or copy the file again.</source>
        <translation>Zeichnen Sie neu auf, oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>A database is being written, or its export was interrupted.</source>
        <translation>Eine Datenbank wird gerade geschrieben, oder ihr Export wurde unterbrochen.</translation>
    </message>
    <message>
        <source>Wait until the export is finished, or export again.</source>
        <translation>Warten Sie, bis der Export fertig ist, oder exportieren Sie neu.</translation>
    </message>
    <message>
        <source>Events of an accelerator have a category that this version does not know; they are shown, and no sum counts them.</source>
        <translation>Ereignisse eines Beschleunigers haben eine Kategorie, die diese Version nicht kennt; sie werden gezeigt, und keine Summe zählt sie.</translation>
    </message>
    <message>
        <source>Report the category, with an example of its events.</source>
        <translation>Melden Sie die Kategorie, mit einem Beispiel ihrer Ereignisse.</translation>
    </message>
    <message>
        <source>Begin or end events without their counterpart are not shown.</source>
        <translation>Anfangs- oder Endereignisse ohne Gegenstück werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>A configuration file cannot be read.</source>
        <translation>Eine Konfigurationsdatei kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>Prüfen Sie ihre Zugriffsrechte.</translation>
    </message>
    <message>
        <source>A folder cannot be listed; traces in it are missing.</source>
        <translation>Ein Ordner kann nicht aufgelistet werden; Traces darin fehlen.</translation>
    </message>
    <message>
        <source>A trace cannot be read.</source>
        <translation>Ein Trace kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>See the message; check permissions, or record again.</source>
        <translation>Siehe Meldung; prüfen Sie die Zugriffsrechte, oder zeichnen Sie neu auf.</translation>
    </message>
    <message>
        <source>CUDA graphs were recorded as a whole; what runs inside counts as computation.</source>
        <translation>CUDA-Graphen wurden als Ganzes aufgezeichnet; was darin läuft, zählt als Rechnen.</translation>
    </message>
    <message>
        <source>Record with --cuda-graph-trace=node.</source>
        <translation>Zeichnen Sie mit --cuda-graph-trace=node auf.</translation>
    </message>
    <message>
        <source>The traces say fewer ranks than are there.</source>
        <translation>Die Traces nennen weniger Ränge, als da sind.</translation>
    </message>
    <message>
        <source>The recording stopped inside the last step of a rank: it does not count as a step.</source>
        <translation>Die Aufzeichnung endete mitten im letzten Schritt eines Rangs: er zählt nicht als Schritt.</translation>
    </message>
    <message>
        <source>Let the profiler record whole steps.</source>
        <translation>Lassen Sie den Profiler ganze Schritte aufzeichnen.</translation>
    </message>
    <message>
        <source>Which kernels take the most time?</source>
        <translation>Welche Kernel brauchen die meiste Zeit?</translation>
    </message>
    <message>
        <source>What is each rank&apos;s GPU time made of?</source>
        <translation>Woraus besteht die GPU-Zeit jedes Rangs?</translation>
    </message>
    <message>
        <source>Which rank do the others wait for?</source>
        <translation>Auf welchen Rang warten die anderen?</translation>
    </message>
    <message>
        <source>Which collective calls lost the most time, and who came last?</source>
        <translation>Welche Kollektive haben die meiste Zeit gekostet, und wer kam zuletzt?</translation>
    </message>
    <message>
        <source>How fast are collectives of each size?</source>
        <translation>Wie schnell sind Kollektive jeder Größe?</translation>
    </message>
    <message>
        <source>How much do steps vary?</source>
        <translation>Wie sehr schwanken Schritte?</translation>
    </message>
    <message>
        <source>Which steps expose the most communication?</source>
        <translation>In welchen Schritten liegt am meisten Kommunikation offen?</translation>
    </message>
    <message>
        <source>Which operators does the GPU&apos;s time belong to?</source>
        <translation>Zu welchen Operatoren gehört die Zeit der GPU?</translation>
    </message>
    <message>
        <source>Which kernels start long after their launch?</source>
        <translation>Welche Kernel starten lange nach ihrem Launch?</translation>
    </message>
    <message>
        <source>Which kernel is slower on one rank than on the others?</source>
        <translation>Welcher Kernel ist auf einem Rang langsamer als auf den anderen?</translation>
    </message>
    <message>
        <source>Where is a stream idle for longest?</source>
        <translation>Wo ist ein Stream am längsten im Leerlauf?</translation>
    </message>
    <message>
        <source>How much communication is hidden behind computation?</source>
        <translation>Wie viel Kommunikation ist hinter Rechnen verborgen?</translation>
    </message>
    <message>
        <source>How often do many short kernels run?</source>
        <translation>Wie oft laufen viele kurze Kernel?</translation>
    </message>
    <message>
        <source>an unknown schedule</source>
        <translation>ein unbekannter Ablauf</translation>
    </message>
    <message>
        <source>GPipe</source>
        <translation>GPipe</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>the interleaved schedule</source>
        <translation>der verschachtelte Ablauf</translation>
    </message>
    <message>
        <source>the zero-bubble schedule</source>
        <translation>der Zero-Bubble-Ablauf</translation>
    </message>
    <message>
        <source>DualPipe</source>
        <translation>DualPipe</translation>
    </message>
    <message>
        <source>DualPipeV</source>
        <translation>DualPipeV</translation>
    </message>
    <message>
        <source>; computation waits for it, so that overlap alone saves next to nothing</source>
        <translation>; das Rechnen wartet auf sie, Überlappung allein spart daher fast nichts</translation>
    </message>
    <message>
        <source> (not all members of its calls are known, so waits for them count too)</source>
        <translation> (nicht alle Teilnehmer ihrer Aufrufe sind bekannt, daher zählt auch das Warten auf sie)</translation>
    </message>
    <message>
        <source>Copies are exposed: %1 would be saved if they took no time; most of their time is %2</source>
        <translation>Unverdeckte Kopien: %1 wären gespart, wenn sie keine Zeit bräuchten; die meiste Zeit davon ist %2</translation>
    </message>
    <message>
        <source>Pipeline bubbles take %1 % of the step</source>
        <translation>Pipeline-Bubbles nehmen %1 % des Schritts ein</translation>
    </message>
    <message>
        <source>; %1 leaves %2 % if all stages take equally long, so %3 a step could be saved</source>
        <translation>; %1 lässt %2 %, wenn alle Stufen gleich lang dauern, also ließen sich %3 je Schritt sparen</translation>
    </message>
    <message>
        <source>; how many its schedule needs is not known</source>
        <translation>; wie viele der Ablauf braucht, ist nicht bekannt</translation>
    </message>
    <message>
        <source>. Farthest off: rank %1, whose collectives end %2 from the others&apos; on median</source>
        <translation>. Am weitesten daneben: Rang %1, dessen Kollektiven im Median %2 neben denen der anderen enden</translation>
    </message>
    <message>
        <source>The clock of rank %1 jumps ahead by %2 inside the recording: from there on, its calls end that much later than the same calls of the other ranks</source>
        <translation>Die Uhr von Rang %1 springt in der Aufzeichnung um %2 vor: Von da an enden seine Aufrufe um so viel später als dieselben Aufrufe der anderen Ränge</translation>
    </message>
    <message>
        <source>The clock of rank %1 jumps back by %2 inside the recording: from there on, its calls end that much earlier than the same calls of the other ranks</source>
        <translation>Die Uhr von Rang %1 springt in der Aufzeichnung um %2 zurück: Von da an enden seine Aufrufe um so viel früher als dieselben Aufrufe der anderen Ränge</translation>
    </message>
    <message>
        <source>The experts of rank %1 get %2× the mean tokens of %3</source>
        <translation>Die Experten von Rang %1 bekommen %2× so viele Tokens wie das Mittel von %3</translation>
    </message>
    <message>
        <source>Tokens fall unevenly on the experts of %1: the busiest rank, not always the same, gets %2× the mean</source>
        <translation>Die Tokens fallen ungleich auf die Experten von %1: Der am stärksten belastete Rang, nicht immer derselbe, bekommt %2× das Mittel</translation>
    </message>
    <message>
        <source>%1 a step on average</source>
        <translation>im Mittel %1 je Schritt</translation>
    </message>
    <message>
        <source>%1 on average</source>
        <translation>im Mittel %1</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>insgesamt %1</translation>
    </message>
    <message>
        <source>Loading data takes the host %1, and the GPU waits for it</source>
        <translation>Daten zu laden kostet den Host %1, und die GPU wartet darauf</translation>
    </message>
    <message>
        <source>Python&apos;s garbage collection stops the host for %1</source>
        <translation>Pythons Speicherbereinigung hält den Host auf: %1</translation>
    </message>
    <message>
        <source>The host allocates or frees GPU memory in the steps: %1 calls a step, %2, the longest %3 of %4; the caching allocator should keep the memory</source>
        <translation>Der Host belegt oder gibt in den Schritten GPU-Speicher frei: %1 Aufrufe je Schritt, %2, der längste %3 mit %4; der Caching-Allocator sollte den Speicher behalten</translation>
    </message>
    <message>
        <source>The host allocates or frees GPU memory: %1, the longest %2 of %3</source>
        <translation>Der Host belegt oder gibt GPU-Speicher frei: %1, der längste Aufruf %2 mit %3</translation>
    </message>
    <message>
        <source>The host allocates or frees GPU memory, but not in every step: %1, the longest %2 of %3</source>
        <translation>Der Host belegt oder gibt GPU-Speicher frei, aber nicht in jedem Schritt: %1, der längste Aufruf %2 mit %3</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>zusammen %1</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>%1 je Schritt</translation>
    </message>
    <message>
        <source>Calls that wait for the GPU hold the host up in the middle of the step, %1, for %2, and it then launches too late</source>
        <translation>Aufrufe, die auf die GPU warten, halten den Host mitten im Schritt auf, %1, für %2, und er startet danach zu spät</translation>
    </message>
    <message>
        <source>Calls that wait for the GPU hold the host up, %1, for %2, and it then launches too late</source>
        <translation>Aufrufe, die auf die GPU warten, halten den Host auf, %1, für %2, und er startet danach zu spät</translation>
    </message>
    <message>
        <source>Before %1 of %2 steps the engine does nothing for up to %3: it has no requests, or something that was not recorded holds it up</source>
        <translation>Vor %1 von %2 Schritten tut die Engine bis zu %3 lang nichts: Sie hat keine Anfragen, oder etwas nicht Aufgezeichnetes hält sie auf</translation>
    </message>
    <message>
        <source>The GPU waits for the host: %1 would be saved if launching cost no time</source>
        <translation>Die GPU wartet auf den Host: %1 wären gespart, wenn Launches keine Zeit kosteten</translation>
    </message>
    <message>
        <source>The first recorded step takes %1 longer than the later ones: warm-up, not the steady state; leave it out with --iterations</source>
        <translation>Der erste aufgezeichnete Schritt dauert %1 länger als die späteren: Warm-up, nicht der Normalzustand; lassen Sie ihn mit --iterations weg</translation>
    </message>
    <message>
        <source>The first recorded step takes %1 longer than the later ones of like work: warm-up, not the steady state; leave it out with --iterations</source>
        <translation>Der erste aufgezeichnete Schritt dauert %1 länger als die späteren mit gleicher Arbeit: Warm-up, nicht der Normalzustand; lassen Sie ihn mit --iterations weg</translation>
    </message>
    <message numerus="yes">
        <source>; after them its ranks come late to other groups&apos; calls, where each of the others waits up to %1 a step for ranks %2</source>
        <translation>
            <numerusform>; danach kommen seine Ränge spät zu Aufrufen anderer Gruppen, wo jeder der anderen %1 je Schritt auf Rang %2 wartet</numerusform>
            <numerusform>; danach kommen seine Ränge spät zu Aufrufen anderer Gruppen, wo jeder der anderen bis zu %1 je Schritt auf die Ränge %2 wartet</numerusform>
        </translation>
    </message>
    <message>
        <source>Communication of %1 takes up to %2× as long%3 as in the other steps%4%5</source>
        <translation>Kommunikation von %1 dauert%3 bis zu %2× so lange wie in den anderen Schritten%4%5</translation>
    </message>
    <message>
        <source>Communication of %1 reaches %2 GB/s between machines at its largest messages%3; another dimension reaches %4</source>
        <translation>Kommunikation von %1 erreicht zwischen Maschinen bei ihren größten Nachrichten %2 GB/s%3; eine andere Dimension erreicht %4</translation>
    </message>
    <message>
        <source>Communication of %1 reaches %2 GB/s between machines at its largest messages%3; the network of %4 machines usually carries %5</source>
        <translation>Kommunikation von %1 erreicht zwischen Maschinen bei ihren größten Nachrichten %2 GB/s%3; das Netz von Maschinen mit %4 überträgt üblicherweise %5</translation>
    </message>
    <message>
        <source>, in %1 of its %2 groups (the calls of the others always run beside calls of the same ranks)</source>
        <translation>, in %1 ihrer %2 Gruppen (die Aufrufe der übrigen laufen immer neben Aufrufen derselben Ränge)</translation>
    </message>
    <message>
        <source>, in %1 of its %2 groups</source>
        <translation>, in %1 ihrer %2 Gruppen</translation>
    </message>
    <message>
        <source>, in all its groups (%1)</source>
        <translation>, in allen ihren Gruppen (%1)</translation>
    </message>
    <message>
        <source>: %1 instead of %2 GB/s</source>
        <translation>: %1 statt %2 GB/s</translation>
    </message>
    <message>
        <source>Communication of %1 (ranks %2) takes up to %3× as long as the same calls of the other groups%4%5</source>
        <translation>Kommunikation von %1 (Ränge %2) dauert bis zu %3× so lange wie dieselben Aufrufe der anderen Gruppen%4%5</translation>
    </message>
    <message>
        <source>Communication of %1 (ranks %2) takes up to %3× as long%4 as in the other steps%5</source>
        <translation>Kommunikation von %1 (Ränge %2) dauert%4 bis zu %3× so lange wie in den anderen Schritten%5</translation>
    </message>
    <message>
        <source>Communication of %1 (ranks %2) reaches %3 GB/s at its largest messages; the network of %4 machines usually carries %5. No other group of this run tells whether that is usual here</source>
        <translation>Kommunikation von %1 (Ränge %2) erreicht bei ihren größten Nachrichten %3 GB/s; das Netz von Maschinen mit %4 überträgt üblicherweise %5. Keine andere Gruppe dieses Laufs zeigt, ob das hier üblich ist</translation>
    </message>
    <message>
        <source> in steps %1</source>
        <translation> in den Schritten %1</translation>
    </message>
    <message>
        <source> in %1 of %2 steps, between %3 and %4</source>
        <translation> in %1 von %2 Schritten, zwischen %3 und %4</translation>
    </message>
    <message>
        <source> in step %1</source>
        <translation> in Schritt %1</translation>
    </message>
    <message>
        <source> from step %1 on</source>
        <translation> ab Schritt %1</translation>
    </message>
    <message>
        <source> in steps %1 to %2</source>
        <translation> in den Schritten %1 bis %2</translation>
    </message>
    <message>
        <source>; only in steps %1</source>
        <translation>; nur in den Schritten %1</translation>
    </message>
    <message>
        <source>; only in %1 of %2 steps, between %3 and %4</source>
        <translation>; nur in %1 von %2 Schritten, zwischen %3 und %4</translation>
    </message>
    <message>
        <source>; only in step %1</source>
        <translation>; nur in Schritt %1</translation>
    </message>
    <message>
        <source>; since step %1</source>
        <translation>; seit Schritt %1</translation>
    </message>
    <message>
        <source>; only in steps %1 to %2</source>
        <translation>; nur in den Schritten %1 bis %2</translation>
    </message>
    <message>
        <source>computation takes %1 longer</source>
        <translation>das Rechnen dauert %1 länger</translation>
    </message>
    <message>
        <source>exposed communication takes %1 longer</source>
        <translation>unverdeckte Kommunikation dauert %1 länger</translation>
    </message>
    <message>
        <source>ranks wait %1 longer for each other</source>
        <translation>die Ränge warten %1 länger aufeinander</translation>
    </message>
    <message>
        <source>exposed copies take %1 longer</source>
        <translation>unverdeckte Kopien dauern %1 länger</translation>
    </message>
    <message>
        <source>the GPU is idle %1 longer</source>
        <translation>die GPU ist %1 länger untätig</translation>
    </message>
    <message>
        <source> (%1 operations a step instead of %2)</source>
        <translation> (%1 Operationen je Schritt statt %2)</translation>
    </message>
    <message>
        <source> (%1 kernels a step instead of %2)</source>
        <translation> (%1 Kernel je Schritt statt %2)</translation>
    </message>
    <message>
        <source> (as many operations, %1× as long: slower GPUs, or more work in each)</source>
        <translation> (ebenso viele Operationen, %1× so lange: langsamere GPUs, oder mehr Arbeit in jeder)</translation>
    </message>
    <message>
        <source> (as many kernels, %1× as long: slower GPUs, or more work in each)</source>
        <translation> (ebenso viele Kernel, %1× so lange: langsamere GPUs, oder mehr Arbeit in jedem)</translation>
    </message>
    <message>
        <source> (as many operations; %1 operations take %2× as long, the others %3×: slower GPUs, or more work in each)</source>
        <translation> (ebenso viele Operationen; Operationen der Art %1 dauern %2× so lange, die anderen %3×: langsamere GPUs, oder mehr Arbeit in jeder)</translation>
    </message>
    <message>
        <source> (as many kernels; %1 kernels take %2× as long, the others %3×: slower GPUs, or more work in each)</source>
        <translation> (ebenso viele Kernel; Kernel der Art %1 dauern %2× so lange, die anderen %3×: langsamere GPUs, oder mehr Arbeit in jedem)</translation>
    </message>
    <message>
        <source>Steps become slower, by and by: step %1 takes %2, step %3 %4 (a line through all of them)</source>
        <translation>Die Schritte werden nach und nach langsamer: Schritt %1 dauert %2, Schritt %3 %4 (eine Gerade durch alle)</translation>
    </message>
    <message>
        <source>Steps become slower, by and by: repetition %1 takes %2, repetition %3 %4 (a line through all of them)</source>
        <translation>Die Schritte werden nach und nach langsamer: Wiederholung %1 dauert %2, Wiederholung %3 %4 (eine Gerade durch alle)</translation>
    </message>
    <message>
        <source>In steps %1 to %2 a step takes %3 instead of %4</source>
        <translation>In den Schritten %1 bis %2 dauert ein Schritt %3 statt %4</translation>
    </message>
    <message>
        <source>In repetitions %1 to %2 a step takes %3 instead of %4</source>
        <translation>In den Wiederholungen %1 bis %2 dauert ein Schritt %3 statt %4</translation>
    </message>
    <message>
        <source>From repetition %1 on a step takes %2 instead of %3</source>
        <translation>Ab Wiederholung %1 dauert ein Schritt %2 statt %3</translation>
    </message>
    <message>
        <source>From step %1 (the one recorded before it is %2) on a step takes %3 instead of %4</source>
        <translation>Ab Schritt %1 (der davor aufgezeichnete ist %2) dauert ein Schritt %3 statt %4</translation>
    </message>
    <message>
        <source>From step %1 on a step takes %2 instead of %3</source>
        <translation>Ab Schritt %1 dauert ein Schritt %2 statt %3</translation>
    </message>
    <message numerus="yes">
        <source> (not counting outliers: %1)</source>
        <translation>
            <numerusform> (ein Ausreißer zählt nicht: %1)</numerusform>
            <numerusform> (Ausreißer zählen nicht: %1)</numerusform>
        </translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source>no operation runs for %1 more</source>
        <translation>%1 länger läuft keine Operation</translation>
    </message>
    <message>
        <source> (not all members of the calls are traced, so waits for them count too)</source>
        <translation> (nicht alle Teilnehmer der Aufrufe sind aufgezeichnet, daher zählt auch das Warten auf sie)</translation>
    </message>
    <message numerus="yes">
        <source>, on ranks %1 alone</source>
        <translation>
            <numerusform>, allein auf Rang %1</numerusform>
            <numerusform>, allein auf den Rängen %1</numerusform>
        </translation>
    </message>
    <message>
        <source>its %1 kernels take %2× its peers&apos;</source>
        <translation>seine Kernel der Art %1 dauern %2× so lange wie die von seinesgleichen</translation>
    </message>
    <message>
        <source>its memory copies and sets take %1 longer than its peers&apos;</source>
        <translation>seine Speicherkopien und -füllungen dauern %1 länger als die von seinesgleichen</translation>
    </message>
    <message>
        <source>its memory copies move %1× the bytes of its peers&apos; and take %2 longer</source>
        <translation>seine Speicherkopien bewegen %1× so viele Bytes wie die von seinesgleichen und dauern %2 länger</translation>
    </message>
    <message>
        <source>its memory copies take %1 longer than its peers&apos;</source>
        <translation>seine Speicherkopien dauern %1 länger als die von seinesgleichen</translation>
    </message>
    <message>
        <source>it runs kernels that its peers do not have: %1</source>
        <translation>er führt Kernel aus, die seinesgleichen nicht haben: %1</translation>
    </message>
    <message>
        <source>its host takes %1 longer between launches than its peers&apos;</source>
        <translation>sein Host braucht zwischen Launches %1 länger als der von seinesgleichen</translation>
    </message>
    <message>
        <source>it waits %1 longer for data than its peers</source>
        <translation>er wartet %1 länger auf Daten als seinesgleichen</translation>
    </message>
    <message>
        <source>Python&apos;s garbage collection stops it for %1</source>
        <translation>Pythons Speicherbereinigung hält ihn %1 auf</translation>
    </message>
    <message>
        <source>its host waits for the GPU %1 where its peers do not</source>
        <translation>sein Host wartet auf die GPU, wo seinesgleichen es nicht tun: %1</translation>
    </message>
    <message>
        <source>it allocates GPU memory for %1</source>
        <translation>er belegt %1 lang GPU-Speicher</translation>
    </message>
    <message>
        <source>its first step starts %1 after its peers&apos;, for a reason from before the recording</source>
        <translation>sein erster Schritt beginnt %1 nach dem von seinesgleichen, aus einem Grund vor der Aufzeichnung</translation>
    </message>
    <message>
        <source>, not all in the same steps</source>
        <translation>, nicht alle in denselben Schritten</translation>
    </message>
    <message>
        <source> in all steps</source>
        <translation> in allen Schritten</translation>
    </message>
    <message>
        <source> and rank %1%2</source>
        <translation> und Rang %1%2</translation>
    </message>
    <message>
        <source>, rank %1%2</source>
        <translation>, Rang %1%2</translation>
    </message>
    <message>
        <source>Rank %1 is slower than its peers: %2</source>
        <translation>Rang %1 ist langsamer als seinesgleichen: %2</translation>
    </message>
    <message>
        <source>Rank %1 starts late: %2</source>
        <translation>Rang %1 beginnt spät: %2</translation>
    </message>
    <message>
        <source>Rank %1 arrives last at %2 % of the calls of %3, %4 late on median; %5</source>
        <translation>Rang %1 kommt bei %2 % der Aufrufe von %3 als letzter an, im Median %4 spät; %5</translation>
    </message>
    <message>
        <source>Ranks %1 start late; of rank %2: %3</source>
        <translation>Die Ränge %1 beginnen spät; zu Rang %2: %3</translation>
    </message>
    <message>
        <source>The other ranks wait for rank %1; %2</source>
        <translation>Die anderen Ränge warten auf Rang %1; %2</translation>
    </message>
    <message>
        <source>Rank %1 arrives last at %2 of %3 calls of %4, %5 late on median; %6</source>
        <translation>Rang %1 kommt bei %2 von %3 Aufrufen von %4 als letzter an, im Median %5 spät; %6</translation>
    </message>
    <message>
        <source>%1 % of the time</source>
        <translation>%1 % der Zeit</translation>
    </message>
    <message>
        <source>%1 % of the step</source>
        <translation>%1 % des Schritts</translation>
    </message>
    <message>
        <source>once in %1 steps</source>
        <translation>einmal in %1 Schritten</translation>
    </message>
    <message>
        <source>%1 times in %2 steps</source>
        <translation>%1-mal in %2 Schritten</translation>
    </message>
    <message>
        <source>once on a rank</source>
        <translation>einmal je Rang</translation>
    </message>
    <message>
        <source>%1 times on a rank</source>
        <translation>%1-mal je Rang</translation>
    </message>
    <message>
        <source>once in all</source>
        <translation>insgesamt einmal</translation>
    </message>
    <message>
        <source>%1 times in all</source>
        <translation>insgesamt %1-mal</translation>
    </message>
    <message>
        <source>once a step</source>
        <translation>einmal je Schritt</translation>
    </message>
    <message>
        <source>%1 times a step</source>
        <translation>%1-mal je Schritt</translation>
    </message>
    <message>
        <source>the other findings about this rank explain less than half of that</source>
        <translation>die anderen Befunde zu diesem Rang erklären weniger als die Hälfte davon</translation>
    </message>
    <message>
        <source>the recording does not show why: nothing on it takes clearly longer than on its peers</source>
        <translation>die Aufzeichnung zeigt nicht, warum: Nichts auf ihm dauert deutlich länger als auf seinesgleichen</translation>
    </message>
    <message>
        <source>why cannot be told: no other rank does the same work</source>
        <translation>warum, lässt sich nicht sagen: Kein anderer Rang macht dieselbe Arbeit</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>the host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>%1 of %2 ranks (no trace)</source>
        <translation>%1 von %2 Rängen (keine Aufzeichnung)</translation>
    </message>
    <message>
        <source>No fault of %1 costs 1 % of %2.</source>
        <translation>Kein Fehler (%1) kostet 1 % von %2.</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>Not judged: %1.</source>
        <translation>Nicht beurteilt: %1.</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>The clocks of the ranks do not fit: what is said across ranks is not to be trusted.</source>
        <translation>Die Uhren der Ränge passen nicht zusammen: Was über Ränge hinweg gesagt wird, ist nicht verlässlich.</translation>
    </message>
    <message>
        <source>%1 faults cost more than 1 % of %2, together %3.</source>
        <translation>%1 Fehler kosten mehr als 1 % von %2, zusammen %3.</translation>
    </message>
    <message>
        <source>%1 faults cost more than 1 % of %2.</source>
        <translation>%1 Fehler kosten mehr als 1 % von %2.</translation>
    </message>
    <message>
        <source> One fault costs more than 1 % as well.</source>
        <translation> Ein Fehler kostet ebenfalls mehr als 1 %.</translation>
    </message>
    <message>
        <source>a %1 step</source>
        <translation>einem Schritt von %1</translation>
    </message>
    <message>
        <source>the %1 (mean of the ranks) from the end of earlier work to the last GPU work</source>
        <translation>%1 (Mittel der Ränge) vom Ende früherer Arbeit bis zur letzten GPU-Arbeit</translation>
    </message>
    <message>
        <source>the %1 from the end of earlier work to the last GPU work</source>
        <translation>%1 vom Ende früherer Arbeit bis zur letzten GPU-Arbeit</translation>
    </message>
    <message>
        <source>the %1 (mean of the ranks) from the first launch to the last GPU work</source>
        <translation>den %1 (Mittel der Ränge) vom ersten Launch bis zur letzten GPU-Arbeit</translation>
    </message>
    <message>
        <source>the %1 from the first launch to the last GPU work</source>
        <translation>den %1 vom ersten Launch bis zur letzten GPU-Arbeit</translation>
    </message>
    <message>
        <source>the %1 (mean of the ranks) from the first to the last GPU work</source>
        <translation>den %1 (Mittel der Ränge) von der ersten bis zur letzten GPU-Arbeit</translation>
    </message>
    <message>
        <source>the %1 from the first to the last GPU work</source>
        <translation>den %1 von der ersten bis zur letzten GPU-Arbeit</translation>
    </message>
    <message>
        <source>Rank %1 arrives last at %2 of %3 %4 calls of %5, %6 late on median; what it does between its calls is not recorded.</source>
        <translation>Rang %1 kommt bei %2 von %3 %4-Aufrufen von %5 als letzter an, im Median %6 spät; was er zwischen seinen Aufrufen tut, ist nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Only collectives are recorded: why a rank is late, and whether the GPUs wait for the host, cannot be told.</source>
        <translation>Nur Kollektiven sind aufgezeichnet: Warum ein Rang spät ist und ob die GPUs auf den Host warten, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>Only collectives are recorded: ranks and the host cannot be judged.</source>
        <translation>Nur Kollektiven sind aufgezeichnet: Ränge und Host lassen sich nicht beurteilen.</translation>
    </message>
    <message>
        <source>No GPU work is recorded here: ranks, links and the host cannot be judged.</source>
        <translation>Hier ist keine GPU-Arbeit aufgezeichnet: Ränge, Links und Host lassen sich nicht beurteilen.</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>One of %1 ranks is traced: whether it is slower than the others cannot be told.</source>
        <translation>Einer von %1 Rängen ist aufgezeichnet: Ob er langsamer ist als die anderen, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>There is one rank: nothing to compare it with.</source>
        <translation>Es gibt nur einen Rang: nichts, womit er sich vergleichen ließe.</translation>
    </message>
    <message>
        <source>One rank is left: nothing to compare it with.</source>
        <translation>Ein Rang bleibt übrig: Es gibt keinen, mit dem er zu vergleichen wäre.</translation>
    </message>
    <message>
        <source>The time range holds no whole step: causes and costs are told of whole steps.</source>
        <translation>Der Zeitbereich enthält keinen ganzen Schritt: Ursachen und Kosten beziehen sich auf ganze Schritte.</translation>
    </message>
    <message>
        <source>No two ranks run the same kernels: whether one is slow cannot be told.</source>
        <translation>Keine zwei Ränge führen dieselben Kernel aus: Ob einer langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are not traced: nothing is said about them.</source>
        <translation>%1 von %2 Rängen sind nicht aufgezeichnet: Über sie wird nichts gesagt.</translation>
    </message>
    <message>
        <source>The clock of rank %1 jumps: when calls start and end is not known well enough to judge links.</source>
        <translation>Die Uhr von Rang %1 springt: Beginn und Ende der Aufrufe sind nicht genau genug bekannt, um Links zu beurteilen.</translation>
    </message>
    <message>
        <source>No calls of known size between traced ranks are recorded: whether a link is slow cannot be told.</source>
        <translation>Zwischen aufgezeichneten Rängen gibt es keine Aufrufe bekannter Größe: Ob ein Link langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>%1 and of %2 more</source>
        <translation>%1 und von %2 weiteren</translation>
    </message>
    <message>
        <source>No other group makes the calls of %1: whether its link is slow cannot be told.</source>
        <translation>Keine andere Gruppe macht die Aufrufe von %1: Ob ihr Link langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>No other group makes the calls of %1, and what carries its messages inside a machine is not known: whether its link is slow cannot be told.</source>
        <translation>Keine andere Gruppe macht die Aufrufe von %1, und was ihre Nachrichten in einer Maschine überträgt, ist nicht bekannt: Ob ihr Link langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>No other group makes the calls of %1, and its messages are too small to compare with the network: whether its link is slow cannot be told.</source>
        <translation>Keine andere Gruppe macht die Aufrufe von %1, und ihre Nachrichten sind zu klein, um sie mit dem Netz zu vergleichen: Ob ihr Link langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>No launches of GPU work are recorded: what the host does cannot be told.</source>
        <translation>Es sind keine Launches aufgezeichnet: Was der Host tut, lässt sich nicht sagen.</translation>
    </message>
    <message numerus="yes">
        <source>No work is recorded on the GPUs for %1 % of the time</source>
        <translation>
            <numerusform>Auf der GPU ist %1 % der Zeit keine Arbeit aufgezeichnet</numerusform>
            <numerusform>Auf den GPUs ist %1 % der Zeit keine Arbeit aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The GPUs do nothing for %1 % of the time</source>
        <translation>
            <numerusform>Die GPU tut %1 % der Zeit nichts</numerusform>
            <numerusform>Die GPUs tun %1 % der Zeit nichts</numerusform>
        </translation>
    </message>
    <message>
        <source>, most on rank %1</source>
        <translation>, am meisten auf Rang %1</translation>
    </message>
    <message>
        <source>, though launched work waits in most of it</source>
        <translation>, obwohl meistens schon gestartete Arbeit wartet</translation>
    </message>
    <message>
        <source>Ranks %1 are slow: %2 takes them up to %3× as long as the other ranks of their stages</source>
        <translation>Die Ränge %1 sind langsam: %2 dauert bei ihnen bis zu %3× so lange wie bei den anderen Rängen ihrer Stufen</translation>
    </message>
    <message>
        <source>Rank %1 is slow (data-parallel rank %2, stage %3): %4 takes it %5× as long as the other ranks of its stage</source>
        <translation>Rang %1 ist langsam (datenparalleler Rang %2, Stufe %3): %4 dauert bei ihm %5× so lange wie bei den anderen Rängen seiner Stufe</translation>
    </message>
    <message>
        <source>%1 takes longer now on one rank, now on another, and the others wait</source>
        <translation>%1 dauert bald auf dem einen, bald auf dem anderen Rang länger, und die übrigen warten</translation>
    </message>
    <message>
        <source>; only on %1</source>
        <translation>; nur auf %1</translation>
    </message>
    <message>
        <source>Ranks %1 are slow: they compute up to %2× as long as the other ranks of their stages</source>
        <translation>Die Ränge %1 sind langsam: Sie rechnen bis zu %2× so lange wie die anderen Ränge ihrer Stufen</translation>
    </message>
    <message>
        <source>Rank %1 is slow (data-parallel rank %2, stage %3): it computes %4× as long as the other ranks of its stage</source>
        <translation>Rang %1 ist langsam (datenparalleler Rang %2, Stufe %3): Er rechnet %4× so lange wie die anderen Ränge seiner Stufe</translation>
    </message>
    <message>
        <source>Computation takes unequally long from microbatch to microbatch, rank to rank and step to step, as with sequences of unequal length</source>
        <translation>Das Rechnen dauert ungleich lang, von Mikrobatch zu Mikrobatch, von Rang zu Rang und von Schritt zu Schritt, wie bei Sequenzen ungleicher Länge</translation>
    </message>
    <message>
        <source>; most of it is %1</source>
        <translation>; das meiste davon ist %1</translation>
    </message>
    <message>
        <source>Operations start later than what they depend on ends; why is not recorded</source>
        <translation>Operationen beginnen später, als das endet, wovon sie abhängen; warum, ist nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>The operations cannot be replayed: %1.</source>
        <translation>Die Operationen lassen sich nicht nachspielen: %1.</translation>
    </message>
    <message>
        <source>There is one data-parallel rank: no two ranks do the same work.</source>
        <translation>Es gibt nur einen datenparallelen Rang: Keine zwei Ränge tun dieselbe Arbeit.</translation>
    </message>
    <message>
        <source>An operation timeline holds no sizes: whether a link is slow cannot be told.</source>
        <translation>Eine Operations-Zeitleiste enthält keine Größen: Ob ein Link langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>An operation timeline holds nothing of the host.</source>
        <translation>Eine Operations-Zeitleiste enthält nichts vom Host.</translation>
    </message>
    <message>
        <source>Computation takes longer now on one rank, now on another, and the others wait, as with inputs of unequal length or tokens of unequal number</source>
        <translation>Das Rechnen dauert mal auf dem einen, mal auf dem anderen Rang länger, und die anderen warten, wie bei Eingaben ungleicher Länge oder ungleich vielen Tokens</translation>
    </message>
    <message numerus="yes">
        <source>%1 requests</source>
        <translation>
            <numerusform>%1 Anfrage</numerusform>
            <numerusform>%1 Anfragen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>prefill steps of %1 tokens</source>
        <translation>
            <numerusform>Prefill-Schritte mit %1 Token</numerusform>
            <numerusform>Prefill-Schritte mit %1 Tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mixed steps of %1 prompt tokens and %2</source>
        <translation>
            <numerusform>gemischte Schritte mit %1 Prompt-Token und %2</numerusform>
            <numerusform>gemischte Schritte mit %1 Prompt-Tokens und %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps of %2</source>
        <translation>%1-Schritte mit %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1</source>
        <translation>
            <numerusform>Rang %1</numerusform>
            <numerusform>Ränge %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The host allocates or frees GPU memory inside the steps.</source>
        <translation>Der Host belegt oder gibt in den Schritten GPU-Speicher frei.</translation>
    </message>
    <message>
        <source>Let the caching allocator keep the memory: no empty_cache() in steps, fixed shapes.</source>
        <translation>Lassen Sie den Caching-Allocator den Speicher behalten: kein empty_cache() in Schritten, feste Formen.</translation>
    </message>
    <message>
        <source>The clocks of the ranks do not fit well enough to compare times of different ranks.</source>
        <translation>Die Uhren der Ränge passen nicht gut genug zusammen, um Zeiten verschiedener Ränge zu vergleichen.</translation>
    </message>
    <message>
        <source>Check the time service of the nodes. Trust only what concerns a single rank.</source>
        <translation>Prüfen Sie den Zeitdienst der Knoten. Verlassen Sie sich nur auf das, was einen einzelnen Rang betrifft.</translation>
    </message>
    <message>
        <source>The clock of a rank jumps inside the recording.</source>
        <translation>Die Uhr eines Rangs springt in der Aufzeichnung.</translation>
    </message>
    <message>
        <source>Select a time range before or after the jump. Check the time service of the node.</source>
        <translation>Wählen Sie einen Zeitbereich vor oder nach dem Sprung. Prüfen Sie den Zeitdienst des Knotens.</translation>
    </message>
    <message>
        <source>The GPU waits while the host loads data.</source>
        <translation>Die GPU wartet, während der Host Daten lädt.</translation>
    </message>
    <message>
        <source>Use more loader processes, load ahead, and copy from pinned memory.</source>
        <translation>Verwenden Sie mehr Ladeprozesse, laden Sie voraus und kopieren Sie aus festem Speicher (pinned).</translation>
    </message>
    <message>
        <source>A serving engine does nothing between two steps.</source>
        <translation>Eine Serving-Engine tut zwischen zwei Schritten nichts.</translation>
    </message>
    <message>
        <source>Nothing, if it had no requests. Otherwise record what its scheduler does.</source>
        <translation>Nichts, wenn sie keine Anfragen hatte. Sonst zeichnen Sie auf, was ihr Scheduler tut.</translation>
    </message>
    <message>
        <source>Some experts get more tokens than others, and the other ranks of the group wait.</source>
        <translation>Einige Experten bekommen mehr Tokens als andere, und die anderen Ränge der Gruppe warten.</translation>
    </message>
    <message>
        <source>Check the router&apos;s balance, and on which ranks the busy experts are.</source>
        <translation>Prüfen Sie, wie gleichmäßig der Router verteilt und auf welchen Rängen die belasteten Experten liegen.</translation>
    </message>
    <message>
        <source>The step waits for communication that nothing hides.</source>
        <translation>Der Schritt wartet auf Kommunikation, die nichts verdeckt.</translation>
    </message>
    <message>
        <source>Overlap it, or send less. --what-if comm=0 and overlap=perfect say what that saves at most.</source>
        <translation>Überlappen Sie sie, oder senden Sie weniger. --what-if comm=0 und overlap=perfect sagen, was das höchstens spart.</translation>
    </message>
    <message>
        <source>The step waits for copies or memory sets.</source>
        <translation>Der Schritt wartet auf Kopien oder das Füllen von Speicher.</translation>
    </message>
    <message>
        <source>Copy from pinned memory on a stream of its own, or avoid the copies.</source>
        <translation>Kopieren Sie aus festem Speicher (pinned) auf einem eigenen Stream, oder vermeiden Sie die Kopien.</translation>
    </message>
    <message>
        <source>The first recorded step is longer than the later ones.</source>
        <translation>Der erste aufgezeichnete Schritt ist länger als die späteren.</translation>
    </message>
    <message>
        <source>Leave it out with --iterations, or record after the warm-up.</source>
        <translation>Lassen Sie ihn mit --iterations weg, oder zeichnen Sie nach dem Warm-up auf.</translation>
    </message>
    <message>
        <source>Python&apos;s garbage collection stops the hosts.</source>
        <translation>Pythons Speicherbereinigung hält die Hosts auf.</translation>
    </message>
    <message>
        <source>Call gc.freeze() after the start, and collect at fixed steps on all ranks together.</source>
        <translation>Rufen Sie nach dem Start gc.freeze() auf, und bereinigen Sie in festen Schritten auf allen Rängen zugleich.</translation>
    </message>
    <message>
        <source>The GPUs do nothing for much of the time, and no other finding says why.</source>
        <translation>Die GPUs tun einen großen Teil der Zeit nichts, und kein anderer Befund sagt, warum.</translation>
    </message>
    <message>
        <source>Look at what the host does meanwhile. Record with the CPU&apos;s activities if it is not there.</source>
        <translation>Sehen Sie nach, was der Host dabei tut. Zeichnen Sie die CPU mit auf, wenn sie fehlt.</translation>
    </message>
    <message>
        <source>The GPU waits for launches of the host.</source>
        <translation>Die GPU wartet auf Launches des Hosts.</translation>
    </message>
    <message>
        <source>In some steps the host takes longer at a place where it does not in most.</source>
        <translation>In einigen Schritten braucht der Host an einer Stelle länger als dort in den meisten.</translation>
    </message>
    <message>
        <source>Look at the event: a checkpoint, a log, another process on its cores.</source>
        <translation>Sehen Sie sich das Ereignis an: ein Checkpoint, ein Log, ein anderer Prozess auf seinen Kernen.</translation>
    </message>
    <message>
        <source>Operations start later than what they depend on ends.</source>
        <translation>Operationen beginnen später, als das endet, wovon sie abhängen.</translation>
    </message>
    <message>
        <source>Record kernels and launches with a profiler; an operation timeline does not say why.</source>
        <translation>Zeichnen Sie Kernel und Launches mit einem Profiler auf; eine Operations-Zeitleiste sagt nicht, warum.</translation>
    </message>
    <message>
        <source>Stages of the pipeline wait for each other.</source>
        <translation>Stufen der Pipeline warten aufeinander.</translation>
    </message>
    <message>
        <source>Use more microbatches or another schedule. --what-if schedule= predicts them.</source>
        <translation>Verwenden Sie mehr Mikrobatches oder einen anderen Ablauf. --what-if schedule= sagt ihn vorher.</translation>
    </message>
    <message>
        <source>A group&apos;s communication is slower than the same calls of other groups, or than in other steps.</source>
        <translation>Die Kommunikation einer Gruppe ist langsamer als dieselben Aufrufe anderer Gruppen oder als in anderen Schritten.</translation>
    </message>
    <message>
        <source>Check links, cables and error counters between its ranks.</source>
        <translation>Prüfen Sie Links, Kabel und Fehlerzähler zwischen ihren Rängen.</translation>
    </message>
    <message>
        <source>A group reaches less than half of what its network usually carries, and has nothing else to be compared with.</source>
        <translation>Eine Gruppe erreicht weniger als die Hälfte dessen, was ihr Netz üblicherweise überträgt, und es gibt sonst nichts zum Vergleich.</translation>
    </message>
    <message>
        <source>Measure with nccl-tests or rccl-tests. Check that the fast network is used.</source>
        <translation>Messen Sie mit nccl-tests oder rccl-tests. Prüfen Sie, ob das schnelle Netz benutzt wird.</translation>
    </message>
    <message>
        <source>All comparable groups of one rank are slow.</source>
        <translation>Alle vergleichbaren Gruppen eines Rangs sind langsam.</translation>
    </message>
    <message>
        <source>Check its network card and cable: speed of the link, errors, width of the PCIe slot.</source>
        <translation>Prüfen Sie seine Netzwerkkarte und ihr Kabel: Geschwindigkeit des Links, Fehler, Breite des PCIe-Steckplatzes.</translation>
    </message>
    <message>
        <source>A group is slow, and its ranks come late to calls of other groups for it.</source>
        <translation>Eine Gruppe ist langsam, und ihre Ränge kommen deshalb spät zu Aufrufen anderer Gruppen.</translation>
    </message>
    <message>
        <source>Check links, cables and error counters between its ranks. The late ranks are not the cause.</source>
        <translation>Prüfen Sie Links, Kabel und Fehlerzähler zwischen ihren Rängen. Die späten Ränge sind nicht die Ursache.</translation>
    </message>
    <message>
        <source>Steps take longer from some step on, mostly for communication that nothing hides.</source>
        <translation>Schritte dauern ab einem Schritt länger, vor allem durch Kommunikation, die nichts verdeckt.</translation>
    </message>
    <message>
        <source>Check the network at that time: other jobs, errors, another path.</source>
        <translation>Prüfen Sie das Netz zu dieser Zeit: andere Jobs, Fehler, ein anderer Weg.</translation>
    </message>
    <message>
        <source>Steps take longer from some step on, mostly for computation.</source>
        <translation>Schritte dauern ab einem Schritt länger, vor allem durch Rechnen.</translation>
    </message>
    <message>
        <source>Check clock and temperature of the GPUs. Compare the lengths of inputs before and after.</source>
        <translation>Prüfen Sie Takt und Temperatur der GPUs. Vergleichen Sie die Längen der Eingaben davor und danach.</translation>
    </message>
    <message>
        <source>Steps take longer from some step on, mostly for copies that nothing hides.</source>
        <translation>Schritte dauern ab einem Schritt länger, vor allem durch Kopien, die nichts verdeckt.</translation>
    </message>
    <message>
        <source>Look for the copies that became longer or more.</source>
        <translation>Suchen Sie die Kopien, die länger oder mehr geworden sind.</translation>
    </message>
    <message>
        <source>Steps take longer from some step on, mostly because the GPU is idle.</source>
        <translation>Schritte dauern ab einem Schritt länger, vor allem, weil die GPU untätig ist.</translation>
    </message>
    <message>
        <source>Look at what the host does in these steps and not before.</source>
        <translation>Sehen Sie nach, was der Host in diesen Schritten tut und davor nicht.</translation>
    </message>
    <message>
        <source>Steps take longer from some step on, mostly because ranks wait for each other.</source>
        <translation>Schritte dauern ab einem Schritt länger, vor allem, weil Ränge aufeinander warten.</translation>
    </message>
    <message>
        <source>See which rank comes last in these steps.</source>
        <translation>Sehen Sie nach, welcher Rang in diesen Schritten als letzter kommt.</translation>
    </message>
    <message>
        <source>A rank allocates GPU memory where its peers do not.</source>
        <translation>Ein Rang belegt GPU-Speicher, wo seinesgleichen es nicht tut.</translation>
    </message>
    <message>
        <source>Look for shapes that only this rank has, and for memory that is nearly full.</source>
        <translation>Suchen Sie Formen, die nur dieser Rang hat, und fast vollen Speicher.</translation>
    </message>
    <message>
        <source>In an operation timeline a worker computes longer than the others of its stage.</source>
        <translation>In einer Operations-Zeitleiste rechnet ein Worker länger als die anderen seiner Stufe.</translation>
    </message>
    <message>
        <source>Check clock, temperature and power of its GPU.</source>
        <translation>Prüfen Sie Takt, Temperatur und Leistung seiner GPU.</translation>
    </message>
    <message>
        <source>A rank waits longer for data than its peers.</source>
        <translation>Ein Rang wartet länger auf Daten als seinesgleichen.</translation>
    </message>
    <message>
        <source>Check storage and load of its node, and the size of its shard.</source>
        <translation>Prüfen Sie Speicher und Last seines Knotens und die Größe seines Datenteils.</translation>
    </message>
    <message>
        <source>Python&apos;s garbage collection stops one rank.</source>
        <translation>Pythons Speicherbereinigung hält einen Rang auf.</translation>
    </message>
    <message>
        <source>Collect at fixed steps on all ranks together.</source>
        <translation>Bereinigen Sie in festen Schritten auf allen Rängen zugleich.</translation>
    </message>
    <message>
        <source>The host of a rank takes longer between launches than its peers&apos;.</source>
        <translation>Der Host eines Rangs braucht zwischen Launches länger als der von seinesgleichen.</translation>
    </message>
    <message>
        <source>Check the CPU of its node: clock, other processes, pinning of processes to cores.</source>
        <translation>Prüfen Sie die CPU seines Knotens: Takt, andere Prozesse, Bindung der Prozesse an Kerne.</translation>
    </message>
    <message>
        <source>Record more steps to see whether it stays late.</source>
        <translation>Zeichnen Sie mehr Schritte auf, um zu sehen, ob er spät bleibt.</translation>
    </message>
    <message>
        <source>The same memory copies take longer on a rank than on its peers.</source>
        <translation>Dieselben Speicherkopien dauern auf einem Rang länger als auf seinesgleichen.</translation>
    </message>
    <message>
        <source>Check the PCIe link of its GPU, and whether the memory of its host is pinned.</source>
        <translation>Prüfen Sie die PCIe-Verbindung seiner GPU und ob der Speicher seines Hosts gepinnt ist.</translation>
    </message>
    <message>
        <source>The host of a rank waits for its GPU where its peers do not.</source>
        <translation>Der Host eines Rangs wartet auf seine GPU, wo seinesgleichen es nicht tut.</translation>
    </message>
    <message>
        <source>Look at the call: .item(), a printed tensor, a blocking copy on this rank alone.</source>
        <translation>Sehen Sie sich den Aufruf an: .item(), ein ausgegebener Tensor, eine blockierende Kopie nur auf diesem Rang.</translation>
    </message>
    <message>
        <source>The others wait for a rank, and nothing that is recorded explains it.</source>
        <translation>Die anderen warten auf einen Rang, und nichts Aufgezeichnetes erklärt es.</translation>
    </message>
    <message>
        <source>Look at its node: other processes, the operating system, its network.</source>
        <translation>Sehen Sie sich seinen Knoten an: andere Prozesse, das Betriebssystem, sein Netz.</translation>
    </message>
    <message>
        <source>Hosts wait for their GPUs inside the steps and then launch too late.</source>
        <translation>Hosts warten in den Schritten auf ihre GPUs und starten danach zu spät.</translation>
    </message>
    <message>
        <source>Take .item(), .cpu() and printed tensors out of the step; copy with non_blocking=True.</source>
        <translation>Nehmen Sie .item(), .cpu() und ausgegebene Tensoren aus dem Schritt; kopieren Sie mit non_blocking=True.</translation>
    </message>
    <message>
        <source>Computation differs from microbatch to microbatch, rank to rank and step to step.</source>
        <translation>Das Rechnen unterscheidet sich von Mikrobatch zu Mikrobatch, von Rang zu Rang und von Schritt zu Schritt.</translation>
    </message>
    <message>
        <source>Balance the lengths of sequences over microbatches and ranks.</source>
        <translation>Gleichen Sie die Längen der Sequenzen über Mikrobatches und Ränge aus.</translation>
    </message>
    <message>
        <source>A stage of the pipeline computes longer than the others.</source>
        <translation>Eine Stufe der Pipeline rechnet länger als die anderen.</translation>
    </message>
    <message>
        <source>Move layers from it to the others. --what-if stages=even says what that saves.</source>
        <translation>Verschieben Sie Schichten von ihr auf die anderen. --what-if stages=even sagt, was das spart.</translation>
    </message>
    <message>
        <source>Computation takes longer now on one rank, now on another.</source>
        <translation>Das Rechnen dauert mal auf dem einen, mal auf dem anderen Rang länger.</translation>
    </message>
    <message>
        <source>Balance the lengths of inputs, or the tokens, over the ranks.</source>
        <translation>Gleichen Sie die Längen der Eingaben oder die Tokens über die Ränge aus.</translation>
    </message>
    <message>
        <source>%1: %2 by the requests that are logged beside the trace</source>
        <translation>%1: %2 nach den Anfragen, die neben dem Trace protokolliert sind</translation>
    </message>
    <message>
        <source>%1: %2 by the benchmark</source>
        <translation>%1: %2 laut Benchmark</translation>
    </message>
    <message>
        <source>; the steps in the trace do not tell it.</source>
        <translation>; aus den Schritten im Trace geht sie nicht hervor.</translation>
    </message>
    <message>
        <source>; %1 by the steps in the trace.</source>
        <translation>; %1 laut den Schritten im Trace.</translation>
    </message>
    <message>
        <source>Clients wait in the queue and for the network, too, and the trace is only a part of what they measured.</source>
        <translation>Clients warten auch in der Warteschlange und auf das Netz, und der Trace ist nur ein Teil dessen, was sie gemessen haben.</translation>
    </message>
    <message>
        <source>median %1, p99 %2</source>
        <translation>Median %1, p99 %2</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>computation on the GPU</source>
        <translation>Rechnen auf der GPU</translation>
    </message>
    <message>
        <source>copies that nothing hides</source>
        <translation>Kopien, die nichts verdeckt</translation>
    </message>
    <message>
        <source>waiting for the host to launch</source>
        <translation>Warten, bis der Host startet</translation>
    </message>
    <message>
        <source>gaps before launched work starts</source>
        <translation>Lücken, bevor gestartete Arbeit beginnt</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Arten</translation>
    </message>
    <message>
        <source>sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>types</source>
        <translation>Typen</translation>
    </message>
    <message>
        <source>totals</source>
        <translation>Summen</translation>
    </message>
    <message>
        <source>%1 needs launches, groups or passes that an operation timeline does not hold</source>
        <translation>%1 braucht Launches, Gruppen oder Durchgänge, die eine Operations-Zeitleiste nicht enthält</translation>
    </message>
    <message>
        <source>operations start as late after what they depend on as they did</source>
        <translation>Operationen beginnen so spät nach dem, wovon sie abhängen, wie aufgezeichnet</translation>
    </message>
    <message>
        <source>no rank is a straggler: nothing changes</source>
        <translation>kein Rang ist ein Nachzügler: nichts ändert sich</translation>
    </message>
    <message>
        <source>rank %1 is not recorded: nothing changes</source>
        <translation>Rang %1 ist nicht aufgezeichnet: nichts ändert sich</translation>
    </message>
    <message>
        <source>each operation of rank %1 takes the mean of all ranks and steps for its type, and communication the median</source>
        <translation>jede Operation von Rang %1 dauert das Mittel ihrer Art über alle Ränge und Schritte, und Kommunikation den Median</translation>
    </message>
    <message>
        <source>every %1 takes the mean of all, and communication the median</source>
        <translation>jede Operation %1 dauert das Mittel aller, und Kommunikation den Median</translation>
    </message>
    <message>
        <source>no operation is of type %1 (there are: %2): nothing changes</source>
        <translation>keine Operation ist vom Typ %1 (vorhanden: %2): nichts ändert sich</translation>
    </message>
    <message>
        <source>there is one stage: nothing changes</source>
        <translation>es gibt nur eine Stufe: nichts ändert sich</translation>
    </message>
    <message>
        <source>there is no stage %1: nothing changes</source>
        <translation>es gibt keine Stufe %1: nichts ändert sich</translation>
    </message>
    <message>
        <source>stage %1 computes as long as the mean stage</source>
        <translation>Stufe %1 rechnet so lange wie die mittlere Stufe</translation>
    </message>
    <message>
        <source>the same computation is spread evenly over the stages</source>
        <translation>dieselbe Rechenarbeit ist gleichmäßig auf die Stufen verteilt</translation>
    </message>
    <message>
        <source>no computing operation is meant by %1 (there are: %2): nothing changes</source>
        <translation>mit %1 ist keine rechnende Operation gemeint (vorhanden: %2): nichts ändert sich</translation>
    </message>
    <message>
        <source>no communicating operation is meant by %1 (there are: %2): nothing changes</source>
        <translation>mit %1 ist keine kommunizierende Operation gemeint (vorhanden: %2): nichts ändert sich</translation>
    </message>
    <message>
        <source>the stages of the pipeline are not known</source>
        <translation>die Stufen der Pipeline sind nicht bekannt</translation>
    </message>
    <message>
        <source>which schedule ran is not known</source>
        <translation>welcher Ablauf lief, ist nicht bekannt</translation>
    </message>
    <message>
        <source>needs annotations of passes (&quot;Forward 0&quot;, &quot;Backward 0&quot;, ... or &quot;PP:0F0&quot;)</source>
        <translation>braucht Annotationen der Durchgänge (&quot;Forward 0&quot;, &quot;Backward 0&quot;, ... oder &quot;PP:0F0&quot;)</translation>
    </message>
    <message>
        <source>the order of the recorded passes is not known</source>
        <translation>die Reihenfolge der aufgezeichneten Durchgänge ist nicht bekannt</translation>
    </message>
    <message>
        <source>the selection holds no GPU work of a whole step</source>
        <translation>die Auswahl enthält keine GPU-Arbeit eines ganzen Schritts</translation>
    </message>
    <message>
        <source>no launches of GPU work are recorded, so nothing tells what the host does</source>
        <translation>es sind keine Launches aufgezeichnet, daher sagt nichts, was der Host tut</translation>
    </message>
    <message>
        <source>computation beside communication is as much slower than alone as the recording shows of the same kernels</source>
        <translation>Rechnen neben Kommunikation ist so viel langsamer als allein, wie die Aufzeichnung an denselben Kerneln zeigt</translation>
    </message>
    <message>
        <source>a pipeline cannot run two schedules at once</source>
        <translation>eine Pipeline kann nicht zwei Abläufe zugleich ausführen</translation>
    </message>
    <message>
        <source>a step cannot have two numbers of microbatches at once</source>
        <translation>ein Schritt kann nicht zwei Anzahlen von Mikrobatches zugleich haben</translation>
    </message>
    <message>
        <source>launches take as long as recorded: on rank %1 they wait for %2 % of the time, as they do when the GPU&apos;s queue is full; a faster GPU or network would then gain more</source>
        <translation>Launches dauern so lange wie aufgezeichnet: Auf Rang %1 warten sie %2 % der Zeit, wie bei voller Warteschlange der GPU; eine schnellere GPU oder ein schnelleres Netz brächte dann mehr</translation>
    </message>
    <message>
        <source>there is no communication: nothing changes</source>
        <translation>es gibt keine Kommunikation: nichts ändert sich</translation>
    </message>
    <message>
        <source>no communication of %1: nothing changes</source>
        <translation>keine Kommunikation von %1: nichts ändert sich</translation>
    </message>
    <message>
        <source>no GPU work but communication has a name that matches %1: nothing changes</source>
        <translation>keine GPU-Arbeit außer Kommunikation hat einen Namen, auf den %1 passt: nichts ändert sich</translation>
    </message>
    <message>
        <source>rank %1 takes as long as the median of its peers; its links stay as they are</source>
        <translation>Rang %1 braucht so lange wie der Median von seinesgleichen; seine Links bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>the stages of a pipeline are not known: nothing changes</source>
        <translation>die Stufen einer Pipeline sind nicht bekannt: nichts ändert sich</translation>
    </message>
    <message>
        <source>work of type %1 that is the same takes its mean on all ranks, in all steps and repetitions; of communication, transfers that are alike take their median</source>
        <translation>gleiche Arbeit vom Typ %1 dauert ihr Mittel, auf allen Rängen, in allen Schritten und Wiederholungen; bei Kommunikation brauchen gleichartige Übertragungen ihren Median</translation>
    </message>
    <message>
        <source>no group is called %1 or joins such ranks: nothing changes</source>
        <translation>keine Gruppe heißt %1 oder verbindet solche Ränge: nichts ändert sich</translation>
    </message>
    <message>
        <source>no other group makes the calls of %1: nothing changes</source>
        <translation>keine andere Gruppe macht die Aufrufe von %1: nichts ändert sich</translation>
    </message>
    <message>
        <source>the recorded passes, played through, take %1 % less than they took: something else sets their pace</source>
        <translation>die aufgezeichneten Durchgänge dauern durchgespielt %1 % weniger, als sie dauerten: etwas anderes bestimmt ihr Tempo</translation>
    </message>
    <message>
        <source>the recorded passes, played through, take %1 % more than they took: something else sets their pace</source>
        <translation>die aufgezeichneten Durchgänge dauern durchgespielt %1 % mehr, als sie dauerten: etwas anderes bestimmt ihr Tempo</translation>
    </message>
    <message>
        <source>%1 cannot run %2 microbatches on %3 stages with %4 parts of the model each</source>
        <translation>%1 kann nicht %2 Mikrobatches auf %3 Stufen mit je %4 Teilen des Modells ausführen</translation>
    </message>
    <message>
        <source>%1 cannot run %2 microbatches on %3 stages</source>
        <translation>%1 kann nicht %2 Mikrobatches auf %3 Stufen ausführen</translation>
    </message>
    <message>
        <source>%1 with %2 microbatches now</source>
        <translation>jetzt %1 mit %2 Mikrobatches</translation>
    </message>
    <message>
        <source>what comes before and after the passes stays as it is; messages take their median</source>
        <translation>was vor und nach den Durchgängen kommt, bleibt, wie es ist; Nachrichten brauchen ihren Median</translation>
    </message>
    <message>
        <source>each microbatch is as large as now, so that the batch is larger or smaller</source>
        <translation>jeder Mikrobatch ist so groß wie jetzt, der Batch also größer oder kleiner</translation>
    </message>
    <message>
        <source>the model can be cut into equal parts of what each stage holds now, but for what the first and the last stage have more to do</source>
        <translation>das Modell lässt sich in gleiche Teile dessen zerlegen, was jede Stufe jetzt hält, bis auf das, was die erste und die letzte Stufe mehr zu tun haben</translation>
    </message>
    <message>
        <source>the weights&apos; part is half of a backward pass</source>
        <translation>der Teil der Gewichte ist die Hälfte eines Rückwärtsdurchgangs</translation>
    </message>
    <message>
        <source>needs annotations of two microbatches at least (&quot;Forward 0&quot;, &quot;Backward 0&quot;, ...)</source>
        <translation>braucht Annotationen von mindestens zwei Mikrobatches (&quot;Forward 0&quot;, &quot;Backward 0&quot;, ...)</translation>
    </message>
    <message>
        <source>%1 microbatches now, one more takes %2 ms</source>
        <translation>jetzt %1 Mikrobatches, einer mehr kostet %2 ms</translation>
    </message>
    <message>
        <source>fewer than two microbatches a stage do not show the pipeline&apos;s rhythm: one may take some per cent more</source>
        <translation>weniger als zwei Mikrobatches je Stufe zeigen den Takt der Pipeline nicht: einer mehr kann einige Prozent mehr kosten</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 left no dump</source>
        <translation>
            <numerusform>Rang %1 hinterließ keinen Dump</numerusform>
            <numerusform>die Ränge %1 hinterließen keinen Dump</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the dumps of ranks %1 cannot be read</source>
        <translation>
            <numerusform>der Dump von Rang %1 ist nicht lesbar</numerusform>
            <numerusform>die Dumps der Ränge %1 sind nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 Whether it made %2 is not known; %3.</source>
        <translation>%1 Ob er %2 gemacht hat, ist nicht bekannt; %3.</translation>
    </message>
    <message>
        <source>No entry of its dump shows %1, and none proves that it did not make it; %2. None of its own calls is open.</source>
        <translation>Kein Eintrag seines Dumps zeigt %1, und keiner beweist, dass er ihn nicht gemacht hat; %2. Keiner seiner eigenen Aufrufe ist offen.</translation>
    </message>
    <message>
        <source>It never made %1; %2. But calls of its dump could not be read, one of which may be open and wait for another rank.</source>
        <translation>Er hat %1 nie gemacht; %2. Aber Aufrufe seines Dumps waren nicht lesbar, von denen einer offen sein und auf einen anderen Rang warten kann.</translation>
    </message>
    <message>
        <source>It never made %1; %2. It has an open call that its buffer no longer holds, which may wait for another rank.</source>
        <translation>Er hat %1 nie gemacht; %2. Er hat einen offenen Aufruf, den sein Puffer nicht mehr enthält und der auf einen anderen Rang warten kann.</translation>
    </message>
    <message>
        <source>It never made %1; %2. It waits for no other rank: none of its own calls is open.</source>
        <translation>Er hat %1 nie gemacht; %2. Er wartet auf keinen anderen Rang: Keiner seiner eigenen Aufrufe ist offen.</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 wait for it there</source>
        <translation>
            <numerusform>Rang %1 wartet dort auf ihn</numerusform>
            <numerusform>die Ränge %1 warten dort auf ihn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It waits in %1 for ranks %2: %3. If those ranks came, its own GPU stands still there, or the way to it.</source>
        <translation>
            <numerusform>Er wartet in %1 auf Rang %2: %3. Wenn dieser Rang gekommen ist, steht seine eigene GPU dort still, oder der Weg zu ihr.</numerusform>
            <numerusform>Er wartet in %1 auf die Ränge %2: %3. Wenn diese Ränge gekommen sind, steht seine eigene GPU dort still, oder der Weg zu ihr.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It waits in %1 for ranks %2: %3. That it is not at fault itself is not proved.</source>
        <translation>
            <numerusform>Er wartet in %1 auf Rang %2: %3. Dass er nicht selbst schuld ist, ist nicht bewiesen.</numerusform>
            <numerusform>Er wartet in %1 auf die Ränge %2: %3. Dass er nicht selbst schuld ist, ist nicht bewiesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>As %1 it called %2. All members together do not receive as many elements as they send; the dumps do not say who is wrong.</source>
        <translation>Als %1 rief er %2 auf. Alle Teilnehmer zusammen empfangen nicht so viele Elemente, wie sie senden; die Dumps sagen nicht, wer falsch liegt.</translation>
    </message>
    <message>
        <source>As %1 it called %2, where %3 called %4.</source>
        <translation>Als %1 rief er %2 auf; %3 dagegen %4.</translation>
    </message>
    <message>
        <source>As %1 it called %2, where %3 called %4. The dumps do not say which of them is right.</source>
        <translation>Als %1 rief er %2 auf; %3 dagegen %4. Die Dumps sagen nicht, wer davon recht hat.</translation>
    </message>
    <message>
        <source>It made %1 and never finished it, though all other members did (%2). Nothing it called before is open: its GPU, or the way to it, stands still.</source>
        <translation>Er hat %1 gemacht und nie beendet, alle anderen Teilnehmer dagegen schon (%2). Nichts, was er davor aufrief, ist offen: Seine GPU oder der Weg zu ihr steht still.</translation>
    </message>
    <message>
        <source>It made %1 and has not finished it, though %2 did. The dumps do not say which of those that are left holds up the others.</source>
        <translation>Er hat %1 gemacht und nicht beendet, %2 dagegen schon. Die Dumps sagen nicht, wer von den übrigen die anderen aufhält.</translation>
    </message>
    <message>
        <source>It made %1 and has not finished it, though %2 did. The message may also have been lost on its way.</source>
        <translation>Er hat %1 gemacht und nicht beendet, %2 dagegen schon. Die Nachricht kann auch unterwegs verloren gegangen sein.</translation>
    </message>
    <message>
        <source>It made %1 and has not finished it, though %2 did. The others may have finished it after this rank gave up.</source>
        <translation>Er hat %1 gemacht und nicht beendet, %2 dagegen schon. Die anderen haben ihn vielleicht beendet, nachdem dieser Rang aufgegeben hatte.</translation>
    </message>
    <message numerus="yes">
        <source>Its host called %1, yet its GPU never began it, though that of ranks %2 did. Nothing it called before is open: its GPU is stuck in other work.</source>
        <translation>
            <numerusform>Sein Host rief %1 auf, doch seine GPU hat ihn nie begonnen, die von Rang %2 dagegen schon. Nichts, was er davor aufrief, ist offen: Seine GPU hängt in anderer Arbeit.</numerusform>
            <numerusform>Sein Host rief %1 auf, doch seine GPU hat ihn nie begonnen, die der Ränge %2 dagegen schon. Nichts, was er davor aufrief, ist offen: Seine GPU hängt in anderer Arbeit.</numerusform>
        </translation>
    </message>
    <message>
        <source>All %1 members made %2 and none finished it: the network between them, or the GPU of one of them, stands still. The dumps do not say which.</source>
        <translation>Alle %1 Teilnehmer haben %2 gemacht und keiner hat ihn beendet: Das Netz zwischen ihnen oder die GPU von einem steht still. Die Dumps sagen nicht, was davon.</translation>
    </message>
    <message>
        <source>It waits in %1 for rank %2, which waits in %3.</source>
        <translation>Er wartet in %1 auf Rang %2, der in %3 wartet.</translation>
    </message>
    <message>
        <source>%1 of %2 members wait for it in %3, while it waits elsewhere for one of them: it may have left out a call or made it out of turn.</source>
        <translation>%1 von %2 Teilnehmern warten in %3 auf ihn, während er anderswo auf einen von ihnen wartet: Er hat vielleicht einen Aufruf ausgelassen oder vertauscht.</translation>
    </message>
    <message numerus="yes">
        <source>As its pg_status says, it has not made %1, in which ranks %2 wait. Its dump does not hold what else it called.</source>
        <translation>
            <numerusform>Wie sein pg_status sagt, hat er %1 nicht gemacht, worin Rang %2 wartet. Sein Dump enthält nicht, was er sonst aufrief.</numerusform>
            <numerusform>Wie sein pg_status sagt, hat er %1 nicht gemacht, worin die Ränge %2 warten. Sein Dump enthält nicht, was er sonst aufrief.</numerusform>
        </translation>
    </message>
    <message>
        <source>As its pg_status says, it has made %1 and not finished it.</source>
        <translation>Wie sein pg_status sagt, hat er %1 gemacht und nicht beendet.</translation>
    </message>
    <message>
        <source>What is said of the call is what pg_status says: the dumps do not hold the call.</source>
        <translation>Was über den Aufruf gesagt wird, sagt pg_status: Die Dumps enthalten den Aufruf nicht.</translation>
    </message>
    <message>
        <source>Its dump is there and cannot be read.</source>
        <translation>Sein Dump ist da und nicht lesbar.</translation>
    </message>
    <message>
        <source>It left no dump: it crashed, was killed, or could not be reached.</source>
        <translation>Er hinterließ keinen Dump: Er ist abgestürzt, wurde beendet oder war nicht erreichbar.</translation>
    </message>
    <message numerus="yes">
        <source>the dumps of ranks %1</source>
        <translation>
            <numerusform>dem Dump von Rang %1</numerusform>
            <numerusform>den Dumps der Ränge %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 calls in %2 could not be read</source>
        <translation>
            <numerusform>%1 Aufruf in %2 war nicht lesbar</numerusform>
            <numerusform>%1 Aufrufe in %2 waren nicht lesbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the dumps of ranks %1 hold neither calls nor a pg_status</source>
        <translation>
            <numerusform>der Dump von Rang %1 enthält weder Aufrufe noch einen pg_status</numerusform>
            <numerusform>die Dumps der Ränge %1 enthalten weder Aufrufe noch einen pg_status</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>open calls of ranks %1 could not be matched with those of other ranks</source>
        <translation>
            <numerusform>offene Aufrufe von Rang %1 ließen sich denen anderer Ränge nicht zuordnen</numerusform>
            <numerusform>offene Aufrufe der Ränge %1 ließen sich denen anderer Ränge nicht zuordnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Whether the job hangs is not known: %1.</source>
        <translation>Ob der Job hängt, ist nicht bekannt: %1.</translation>
    </message>
    <message numerus="yes">
        <source>The dumps of ranks %1 are there and cannot be read: cut short, or no dump.</source>
        <translation>
            <numerusform>Der Dump von Rang %1 ist da und nicht lesbar: abgeschnitten, oder kein Dump.</numerusform>
            <numerusform>Die Dumps der Ränge %1 sind da und nicht lesbar: abgeschnitten, oder keine Dumps.</numerusform>
        </translation>
    </message>
    <message>
        <source>The dumps do not list the members of %1 of %2 groups: who is missing there is not known.</source>
        <translation>Die Dumps nennen die Mitglieder von %1 von %2 Gruppen nicht: Wer dort fehlt, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>When calls began on the GPU was not recorded (TORCH_NCCL_ENABLE_TIMING=1): whether a GPU has reached a call is not known.</source>
        <translation>Wann Aufrufe auf der GPU begannen, ist nicht aufgezeichnet (TORCH_NCCL_ENABLE_TIMING=1): Ob eine GPU einen Aufruf erreicht hat, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>No call is open in these dumps: the job did not hang in a collective or a message when they were made.</source>
        <translation>Kein Aufruf in diesen Dumps ist offen: Der Job hing in keiner Kollektive und keiner Nachricht, als sie entstanden.</translation>
    </message>
    <message>
        <source>; one other waits</source>
        <translation>; ein anderer wartet</translation>
    </message>
    <message>
        <source>; %1 others wait</source>
        <translation>; %1 andere warten</translation>
    </message>
    <message numerus="yes">
        <source>; ranks %1 may have to do with it</source>
        <translation>
            <numerusform>; Rang %1 hat vielleicht damit zu tun</numerusform>
            <numerusform>; die Ränge %1 haben vielleicht damit zu tun</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The job hangs because of ranks %1%2%3.</source>
        <translation>
            <numerusform>Der Job hängt wegen Rang %1%2%3.</numerusform>
            <numerusform>Der Job hängt wegen der Ränge %1%2%3.</numerusform>
        </translation>
    </message>
    <message>
        <source>The job hangs in a deadlock: %1 wait for each other%2.</source>
        <translation>Der Job hängt in einem Deadlock: %1 warten aufeinander%2.</translation>
    </message>
    <message numerus="yes">
        <source>The job hangs in %1: ranks %2 left no dump%3.</source>
        <translation>
            <numerusform>Der Job hängt in %1: Rang %2 hinterließ keinen Dump%3.</numerusform>
            <numerusform>Der Job hängt in %1: Die Ränge %2 hinterließen keinen Dump%3.</numerusform>
        </translation>
    </message>
    <message>
        <source>The job hangs in %1, perhaps because of rank %2%3.</source>
        <translation>Der Job hängt in %1, vielleicht wegen Rang %2%3.</translation>
    </message>
    <message>
        <source>The job hangs in %1; which of %2 it is, the dumps do not prove%3.</source>
        <translation>Der Job hängt in %1; an wem es liegt (%2), beweisen die Dumps nicht%3.</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>group %1 (%2)</source>
        <translation>Gruppe %1 (%2)</translation>
    </message>
    <message>
        <source>message %1 from rank %2 to rank %3 in %4</source>
        <translation>Nachricht %1 von Rang %2 an Rang %3 in %4</translation>
    </message>
    <message>
        <source>message %1 (as rank %2 counts) from rank %3 to rank %4 in %5</source>
        <translation>Nachricht %1 (wie Rang %2 zählt) von Rang %3 an Rang %4 in %5</translation>
    </message>
    <message>
        <source>call %1 of %2</source>
        <translation>Aufruf %1 von %2</translation>
    </message>
    <message>
        <source>%1 %2 of %3</source>
        <translation>%1 %2 von %3</translation>
    </message>
    <message>
        <source>no rank</source>
        <translation>kein Rang</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 in place of %2</source>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>most by %1</source>
        <translation>vor allem durch %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>most in %1 (%2 -&gt; %3)</source>
        <translation>vor allem in %1 (%2 -&gt; %3)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>most in %1 (%2 -&gt; %3 a call)</source>
        <translation>vor allem in %1 (%2 -&gt; %3 je Aufruf)</translation>
    </message>
    <message>
        <source>it runs at %1 instead of %2 GB/s on the bus</source>
        <translation>sie erreicht %1 statt %2 GB/s auf dem Bus</translation>
    </message>
    <message>
        <source>between ranks %1 %2; elsewhere as before</source>
        <translation>zwischen den Rängen %1: %2; sonst wie zuvor</translation>
    </message>
    <message>
        <source>in %1 of %2 groups only; between ranks %3, most of all, %4</source>
        <translation>nur in %1 von %2 Gruppen; zwischen den Rängen %3 am meisten: %4</translation>
    </message>
    <message>
        <source>less of it runs beside calls that end later, and is counted with those (%1 -&gt; %2 %)</source>
        <translation>weniger davon läuft neben Aufrufen, die später enden, und zählt bei diesen (%1 -&gt; %2 %)</translation>
    </message>
    <message>
        <source>more of it runs beside calls that end later, and is counted with those (%1 -&gt; %2 %)</source>
        <translation>mehr davon läuft neben Aufrufen, die später enden, und zählt bei diesen (%1 -&gt; %2 %)</translation>
    </message>
    <message>
        <source>less of it is hidden behind computation (%1 -&gt; %2 % of its time once the last member has come)</source>
        <translation>weniger davon ist hinter Rechnen verdeckt (%1 -&gt; %2 % ihrer Zeit, nachdem der letzte Teilnehmer angekommen ist)</translation>
    </message>
    <message>
        <source>more of it is hidden behind computation (%1 -&gt; %2 % of its time once the last member has come)</source>
        <translation>mehr davon ist hinter Rechnen verdeckt (%1 -&gt; %2 % ihrer Zeit, nachdem der letzte Teilnehmer angekommen ist)</translation>
    </message>
    <message>
        <source>%1 (%2 -&gt; %3)</source>
        <translation>%1 (%2 -&gt; %3)</translation>
    </message>
    <message>
        <source>only on %1</source>
        <translation>nur %1</translation>
    </message>
    <message>
        <source>only one run computes on the GPU</source>
        <translation>nur einer der Läufe rechnet auf der GPU</translation>
    </message>
    <message>
        <source>%1 times as many kernels (%2 -&gt; %3 an iteration)</source>
        <translation>%1-mal so viele Kernel (%2 -&gt; %3 je Iteration)</translation>
    </message>
    <message>
        <source>kernels take %1 times as long on average on the other GPU</source>
        <translation>Kernel dauern im Mittel %1-mal so lange auf der anderen GPU</translation>
    </message>
    <message>
        <source>kernels take %1 times as long on average</source>
        <translation>Kernel dauern im Mittel %1-mal so lange</translation>
    </message>
    <message>
        <source>%1 in the test only: %2 calls an iteration</source>
        <translation>%1 nur im Test: %2 Aufrufe je Iteration</translation>
    </message>
    <message>
        <source>%1 in the baseline only: %2 calls an iteration</source>
        <translation>%1 nur in der Basis: %2 Aufrufe je Iteration</translation>
    </message>
    <message>
        <source>not all of its members are traced in the baseline: it holds waits for the others</source>
        <translation>nicht alle Teilnehmer sind in der Basis aufgezeichnet: das Warten auf die anderen zählt mit</translation>
    </message>
    <message>
        <source>not all of its members are traced in the test: it holds waits for the others</source>
        <translation>nicht alle Teilnehmer sind im Test aufgezeichnet: das Warten auf die anderen zählt mit</translation>
    </message>
    <message>
        <source>messages %1 times as large</source>
        <translation>Nachrichten %1-mal so groß</translation>
    </message>
    <message>
        <source>%1 times as many calls (%2 -&gt; %3 an iteration)</source>
        <translation>%1-mal so viele Aufrufe (%2 -&gt; %3 je Iteration)</translation>
    </message>
    <message>
        <source>larger groups move more for each byte</source>
        <translation>größere Gruppen bewegen mehr für jedes Byte</translation>
    </message>
    <message>
        <source>a call takes %1 times as long</source>
        <translation>ein Aufruf dauert %1-mal so lange</translation>
    </message>
    <message>
        <source>most for %1</source>
        <translation>vor allem auf %1</translation>
    </message>
    <message>
        <source>microbatches %1 -&gt; %2</source>
        <translation>Mikrobatches %1 -&gt; %2</translation>
    </message>
    <message>
        <source>loading data takes the hosts %1 -&gt; %2</source>
        <translation>Daten zu laden kostet die Hosts %1 -&gt; %2</translation>
    </message>
    <message>
        <source>loading data takes the host %1 -&gt; %2</source>
        <translation>Daten zu laden kostet den Host %1 -&gt; %2</translation>
    </message>
    <message>
        <source>most on %1</source>
        <translation>vor allem %1</translation>
    </message>
    <message>
        <source>%1 more settings</source>
        <translation>%1 weitere Einstellungen</translation>
    </message>
    <message>
        <source>%1 -&gt; %2 ranks</source>
        <translation>%1 -&gt; %2 Ränge</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>iteration (inferred)</source>
        <translation>Iteration (erschlossen)</translation>
    </message>
    <message>
        <source>recorded window</source>
        <translation>aufgezeichneter Zeitraum</translation>
    </message>
    <message>
        <source>GPU idle until the host launches</source>
        <translation>GPU untätig, bis der Host startet</translation>
    </message>
    <message>
        <source>time between collectives, of which nothing is recorded</source>
        <translation>Zeit zwischen Kollektiven, von der nichts aufgezeichnet ist</translation>
    </message>
    <message>
        <source>time between operations, of which nothing is recorded</source>
        <translation>Zeit zwischen Operationen, von der nichts aufgezeichnet ist</translation>
    </message>
    <message>
        <source>%1 -&gt; %2, from nothing</source>
        <translation>%1 -&gt; %2, vorher nichts</translation>
    </message>
    <message>
        <source>The recorded window, the mean of all kinds of steps,</source>
        <translation>Der aufgezeichnete Zeitraum, im Mittel aller Arten von Schritten,</translation>
    </message>
    <message>
        <source>The recorded window</source>
        <translation>Der aufgezeichnete Zeitraum</translation>
    </message>
    <message>
        <source>An iteration, the mean of all kinds of steps,</source>
        <translation>Eine Iteration, im Mittel aller Arten von Schritten,</translation>
    </message>
    <message>
        <source>An iteration</source>
        <translation>Eine Iteration</translation>
    </message>
    <message>
        <source>%1 takes as long as before (%2)</source>
        <translation>%1 dauert so lange wie zuvor (%2)</translation>
    </message>
    <message>
        <source>%1 takes %2 longer (%3)</source>
        <translation>%1 dauert %2 länger (%3)</translation>
    </message>
    <message>
        <source>%1 takes %2 less (%3)</source>
        <translation>%1 dauert %2 weniger (%3)</translation>
    </message>
    <message>
        <source>besides, %1</source>
        <translation>außerdem: %1</translation>
    </message>
    <message>
        <source>other kernels: %1</source>
        <translation>andere Kernel: %1</translation>
    </message>
    <message>
        <source>not explained: %1</source>
        <translation>nicht erklärt: %1</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>unverdeckte Kommunikation</translation>
    </message>
    <message>
        <source>exposed %1 communication</source>
        <translation>unverdeckte %1-Kommunikation</translation>
    </message>
    <message>
        <source>pipeline bubble</source>
        <translation>Pipeline-Bubble</translation>
    </message>
    <message>
        <source>copies in the open</source>
        <translation>unverdeckte Kopien</translation>
    </message>
    <message>
        <source>These are times of the GPU; the host launches an iteration in %1 -&gt; %2 (iter_time)</source>
        <translation>Das sind Zeiten der GPU; der Host startet eine Iteration in %1 -&gt; %2 (iter_time)</translation>
    </message>
    <message>
        <source>, and as long as before for each token</source>
        <translation>, und je Token so lange wie zuvor</translation>
    </message>
    <message>
        <source>, and %1 % longer for each token</source>
        <translation>, und je Token %1 % länger</translation>
    </message>
    <message>
        <source>, and %1 % less for each token</source>
        <translation>, und je Token %1 % weniger</translation>
    </message>
    <message>
        <source>the log of the baseline does not say when its calls started, so that neither an iteration nor what a transfer took is known</source>
        <translation>das Log der Basis sagt nicht, wann ihre Aufrufe begannen; daher ist weder eine Iteration bekannt noch, was eine Übertragung dauerte</translation>
    </message>
    <message>
        <source>the log of the test does not say when its calls started, so that neither an iteration nor what a transfer took is known</source>
        <translation>das Log des Tests sagt nicht, wann seine Aufrufe begannen; daher ist weder eine Iteration bekannt noch, was eine Übertragung dauerte</translation>
    </message>
    <message>
        <source>the baseline has neither steps nor GPU work</source>
        <translation>die Basis hat weder Schritte noch GPU-Arbeit</translation>
    </message>
    <message>
        <source>the test has neither steps nor GPU work</source>
        <translation>der Test hat weder Schritte noch GPU-Arbeit</translation>
    </message>
    <message>
        <source> with %1</source>
        <translation> bei %1</translation>
    </message>
    <message>
        <source>, but only %1 (%2)</source>
        <translation>, aber nur %1 (%2)</translation>
    </message>
    <message>
        <source>, above all %1 (%2)</source>
        <translation>, vor allem %1 (%2)</translation>
    </message>
    <message>
        <source>in the other steps it takes as long as before (%1)</source>
        <translation>in den anderen Schritten dauert sie so lange wie zuvor (%1)</translation>
    </message>
    <message>
        <source>in the other steps it takes longer (%1)%2</source>
        <translation>in den anderen Schritten dauert sie länger (%1)%2</translation>
    </message>
    <message>
        <source>in the other steps it takes less (%1)%2</source>
        <translation>in den anderen Schritten dauert sie weniger lang (%1)%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 -&gt; %2 in the recorded window</source>
        <translation>%1 -&gt; %2 im aufgezeichneten Zeitraum</translation>
    </message>
    <message>
        <source>%1 -&gt; %2 an iteration</source>
        <translation>%1 -&gt; %2 je Iteration</translation>
    </message>
    <message>
        <source>(median of the others %1 -&gt; %2)</source>
        <translation>(Median der anderen %1 -&gt; %2)</translation>
    </message>
    <message numerus="yes">
        <source>their operations take %1 %2</source>
        <translation>
            <numerusform>seine Operationen dauern %1 %2</numerusform>
            <numerusform>ihre Operationen dauern %1 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>their kernels take %1 %2</source>
        <translation>
            <numerusform>seine Kernel dauern %1 %2</numerusform>
            <numerusform>ihre Kernel dauern %1 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>their copies take %1 %2</source>
        <translation>
            <numerusform>seine Kopien dauern %1 %2</numerusform>
            <numerusform>ihre Kopien dauern %1 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>their hosts keep the GPU waiting %1 %2</source>
        <translation>
            <numerusform>sein Host lässt die GPU warten, %1 %2</numerusform>
            <numerusform>ihre Hosts lassen die GPU warten, %1 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 pass between their operations %2</source>
        <translation>
            <numerusform>zwischen seinen Operationen vergehen %1 %2</numerusform>
            <numerusform>zwischen ihren Operationen vergehen %1 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 pass between their calls %2</source>
        <translation>
            <numerusform>zwischen seinen Aufrufen vergehen %1 %2</numerusform>
            <numerusform>zwischen ihren Aufrufen vergehen %1 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take as long as before, where the others take less: %2</source>
        <translation>
            <numerusform>Rang %1 braucht so lange wie zuvor, wo die anderen weniger brauchen: %2</numerusform>
            <numerusform>die Ränge %1 brauchen so lange wie zuvor, wo die anderen weniger brauchen: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take as long as before, where the others take longer: %2</source>
        <translation>
            <numerusform>Rang %1 braucht so lange wie zuvor, wo die anderen länger brauchen: %2</numerusform>
            <numerusform>die Ränge %1 brauchen so lange wie zuvor, wo die anderen länger brauchen: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 are more of a straggler than before: %2</source>
        <translation>
            <numerusform>Rang %1 ist mehr Nachzügler als zuvor: %2</numerusform>
            <numerusform>die Ränge %1 sind mehr Nachzügler als zuvor: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 became stragglers: %2</source>
        <translation>
            <numerusform>Rang %1 wurde zum Nachzügler: %2</numerusform>
            <numerusform>die Ränge %1 wurden zu Nachzüglern: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take longer than before: %2</source>
        <translation>
            <numerusform>Rang %1 braucht länger als zuvor: %2</numerusform>
            <numerusform>die Ränge %1 brauchen länger als zuvor: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take less than before: %2</source>
        <translation>
            <numerusform>Rang %1 braucht weniger lang als zuvor: %2</numerusform>
            <numerusform>die Ränge %1 brauchen weniger lang als zuvor: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 are less of a straggler than before: %2</source>
        <translation>
            <numerusform>Rang %1 ist weniger Nachzügler als zuvor: %2</numerusform>
            <numerusform>die Ränge %1 sind weniger Nachzügler als zuvor: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 are stragglers no more: %2</source>
        <translation>
            <numerusform>Rang %1 ist kein Nachzügler mehr: %2</numerusform>
            <numerusform>die Ränge %1 sind keine Nachzügler mehr: %2</numerusform>
        </translation>
    </message>
    <message>
        <source>stage %1 of the pipeline (%2) takes longer for its own work: %3, and the other stages wait for it</source>
        <translation>Stufe %1 der Pipeline (%2) braucht länger für ihre eigene Arbeit: %3, und die anderen Stufen warten auf sie</translation>
    </message>
    <message>
        <source>stage %1 of the pipeline (%2) takes less for its own work: %3</source>
        <translation>Stufe %1 der Pipeline (%2) braucht weniger für ihre eigene Arbeit: %3</translation>
    </message>
    <message numerus="yes">
        <source>, and the others wait for them</source>
        <translation>
            <numerusform>, und die anderen warten auf ihn</numerusform>
            <numerusform>, und die anderen warten auf sie</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1 in step %2</source>
        <translation>Rang %1 in Schritt %2</translation>
    </message>
    <message>
        <source>rank %1 in steps %2 to %3</source>
        <translation>Rang %1 in den Schritten %2 bis %3</translation>
    </message>
    <message>
        <source>one rank at a time makes the others wait, its operations take %1 longer (%2)</source>
        <translation>jeweils ein Rang lässt die anderen warten, seine Operationen dauern %1 länger (%2)</translation>
    </message>
    <message>
        <source>one rank at a time makes the others wait, its kernels take %1 longer (%2)</source>
        <translation>jeweils ein Rang lässt die anderen warten, seine Kernel dauern %1 länger (%2)</translation>
    </message>
    <message>
        <source>one rank at a time makes the others wait, its host keeps the GPU waiting %1 longer (%2)</source>
        <translation>jeweils ein Rang lässt die anderen warten, sein Host lässt die GPU %1 länger warten (%2)</translation>
    </message>
    <message>
        <source>one rank at a time makes the others wait, %1 more pass between its calls (%2)</source>
        <translation>jeweils ein Rang lässt die anderen warten, zwischen seinen Aufrufen vergehen %1 mehr (%2)</translation>
    </message>
    <message>
        <source>Prefill steps</source>
        <translation>Prefill-Schritte</translation>
    </message>
    <message>
        <source>Decode steps</source>
        <translation>Decode-Schritte</translation>
    </message>
    <message>
        <source>Mixed steps</source>
        <translation>Gemischte Schritte</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>, with %1 instead of %2 tokens a step</source>
        <translation>, mit %1 statt %2 Tokens je Schritt</translation>
    </message>
    <message>
        <source>, whose tokens attend to %1 times as many</source>
        <translation>, deren Tokens auf %1-mal so viele achten</translation>
    </message>
    <message numerus="yes">
        <source>, from %1 and %2 steps</source>
        <translation>
            <numerusform>, aus %1 und %2 Schritt</numerusform>
            <numerusform>, aus %1 und %2 Schritten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 launches of graphs</source>
        <translation>
            <numerusform>%1 Launch von Graphs</numerusform>
            <numerusform>%1 Launches von Graphs</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 launches</source>
        <translation>%1 Launches</translation>
    </message>
    <message>
        <source>, with %1 a step instead of %2</source>
        <translation>, mit %1 je Schritt statt %2</translation>
    </message>
    <message>
        <source>, between the steps</source>
        <translation>, zwischen den Schritten</translation>
    </message>
    <message>
        <source>%1 became %2 % slower on average (%3 -&gt; %4%5%6)%7.</source>
        <translation>%1 wurden im Mittel %2 % langsamer (%3 -&gt; %4%5%6)%7.</translation>
    </message>
    <message>
        <source>%1 became %2 % slower (%3 -&gt; %4%5%6)%7.</source>
        <translation>%1 wurden %2 % langsamer (%3 -&gt; %4%5%6)%7.</translation>
    </message>
    <message>
        <source>%1 became %2 % faster on average (%3 -&gt; %4%5%6)%7.</source>
        <translation>%1 wurden im Mittel %2 % schneller (%3 -&gt; %4%5%6)%7.</translation>
    </message>
    <message>
        <source>%1 became %2 % faster (%3 -&gt; %4%5%6)%7.</source>
        <translation>%1 wurden %2 % schneller (%3 -&gt; %4%5%6)%7.</translation>
    </message>
    <message>
        <source>%1 take as long as before (%2), though %3 takes longer (%4 -&gt; %5 of it%6%7).</source>
        <translation>%1 dauern so lange wie zuvor (%2), obwohl das davon länger dauert: %3 (%4 -&gt; %5%6%7).</translation>
    </message>
    <message>
        <source>%1 take as long as before (%2), though %3 takes less (%4 -&gt; %5 of it%6%7).</source>
        <translation>%1 dauern so lange wie zuvor (%2), obwohl das davon kürzer dauert: %3 (%4 -&gt; %5%6%7).</translation>
    </message>
    <message>
        <source>%1 occur in the test only (%2 of %3, %4 each).</source>
        <translation>%1 kommen nur im Test vor (%2 von %3, je %4).</translation>
    </message>
    <message>
        <source>%1 are %2 % of the steps instead of %3 %.</source>
        <translation>%1 sind %2 % der Schritte statt %3 %.</translation>
    </message>
    <message>
        <source>Unnamed steps</source>
        <translation>Unbenannte Schritte</translation>
    </message>
    <message>
        <source>No kind of step of the serving engine became slower or faster by more than 1 % and its own spread.</source>
        <translation>Keine Art von Schritt der Serving-Engine wurde um mehr als 1 % und ihre eigene Streuung langsamer oder schneller.</translation>
    </message>
    <message>
        <source>in step %1 of the baseline</source>
        <translation>in Schritt %1 der Basis</translation>
    </message>
    <message>
        <source>in step %1</source>
        <translation>in Schritt %1</translation>
    </message>
    <message>
        <source>from step %1 of the baseline on</source>
        <translation>ab Schritt %1 der Basis</translation>
    </message>
    <message>
        <source>from step %1 on</source>
        <translation>ab Schritt %1</translation>
    </message>
    <message>
        <source>in steps %1 to %2 of the baseline</source>
        <translation>in den Schritten %1 bis %2 der Basis</translation>
    </message>
    <message>
        <source>in steps %1 to %2</source>
        <translation>in den Schritten %1 bis %2</translation>
    </message>
    <message>
        <source>in steps %1 and %2 of the baseline</source>
        <translation>in den Schritten %1 und %2 der Basis</translation>
    </message>
    <message>
        <source>in steps %1 and %2</source>
        <translation>in den Schritten %1 und %2</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>zwischen %1 und %2</translation>
    </message>
    <message>
        <source>in %1 of %2 steps of the baseline (%3)</source>
        <translation>in %1 von %2 Schritten der Basis (%3)</translation>
    </message>
    <message>
        <source>in %1 of %2 steps (%3)</source>
        <translation>in %1 von %2 Schritten (%3)</translation>
    </message>
    <message>
        <source> It last finished %1.</source>
        <translation> Zuletzt beendet hat er %1.</translation>
    </message>
    <message>
        <source> Its last call was %1, at %2.</source>
        <translation> Sein letzter Aufruf war %1, um %2.</translation>
    </message>
    <message>
        <source> It made it in %1.</source>
        <translation> Er machte ihn in %1.</translation>
    </message>
    <message>
        <source>The job stands still in %1. </source>
        <translation>Der Job steht still in %1. </translation>
    </message>
    <message>
        <source>The job stands still in %1, which was first called at %2. </source>
        <translation>Der Job steht still in %1, zuerst aufgerufen um %2. </translation>
    </message>
    <message>
        <source>No rank waits in it</source>
        <translation>Kein Rang wartet darin</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 wait in it</source>
        <translation>
            <numerusform>Rang %1 wartet darin</numerusform>
            <numerusform>Die Ränge %1 warten darin</numerusform>
        </translation>
    </message>
    <message>
        <source>; %1 did not come.</source>
        <translation>; nicht gekommen: %1.</translation>
    </message>
    <message>
        <source>; whether %1 came is not known.</source>
        <translation>; ob gekommen, ist nicht bekannt: %1.</translation>
    </message>
    <message>
        <source>; they did not call the same there.</source>
        <translation>; sie haben dort nicht dasselbe aufgerufen.</translation>
    </message>
    <message>
        <source>; every member called it.</source>
        <translation>; alle Teilnehmer haben ihn aufgerufen.</translation>
    </message>
    <message>
        <source>; it is part of a circle of calls that wait for each other.</source>
        <translation>; er ist Teil eines Kreises von Aufrufen, die aufeinander warten.</translation>
    </message>
    <message>
        <source>rank %1 waits for rank %2 in %3</source>
        <translation>Rang %1 wartet auf Rang %2 in %3</translation>
    </message>
    <message>
        <source>A deadlock: %1.</source>
        <translation>Ein Deadlock: %1.</translation>
    </message>
    <message>
        <source>What to do: look at what the process of that rank did at that time, in its log and in a stack of its threads (py-spy dump). A host that is stuck in its own code, in loading of data, or in an exception that was caught looks like this.</source>
        <translation>Was zu tun ist: Sehen Sie nach, was der Prozess dieses Rangs zu dieser Zeit tat, in seinem Log und in einem Stack seiner Threads (py-spy dump). Ein Host, der in eigenem Code, beim Laden von Daten oder in einer abgefangenen Ausnahme festsitzt, sieht so aus.</translation>
    </message>
    <message>
        <source>What to do: look into the log of that rank and of its machine for a crash, for a process that was killed (out of memory), or for a machine that went away.</source>
        <translation>Was zu tun ist: Suchen Sie im Log dieses Rangs und seiner Maschine nach einem Absturz, nach einem beendeten Prozess (Speicher voll) oder nach einer ausgefallenen Maschine.</translation>
    </message>
    <message>
        <source>What to do: find where the ranks take different branches before this call. A condition that depends on data, or a shape that differs between ranks, looks like this.</source>
        <translation>Was zu tun ist: Suchen Sie, wo die Ränge vor diesem Aufruf verschiedene Zweige nehmen. Eine Bedingung, die von Daten abhängt, oder eine Form, die zwischen Rängen verschieden ist, sieht so aus.</translation>
    </message>
    <message>
        <source>What to do: make all ranks call the groups in the same order, or make one of the calls wait for the other on every rank.</source>
        <translation>Was zu tun ist: Lassen Sie alle Ränge die Gruppen in derselben Reihenfolge aufrufen, oder lassen Sie auf jedem Rang den einen Aufruf auf den anderen warten.</translation>
    </message>
    <message>
        <source>What to do: look at the GPUs (nvidia-smi, Xid messages in dmesg) and the network of these ranks. With TORCH_NCCL_ENABLE_TIMING=1 the next dump tells which GPU did not reach the call.</source>
        <translation>Was zu tun ist: Prüfen Sie die GPUs (nvidia-smi, Xid-Meldungen in dmesg) und das Netz dieser Ränge. Mit TORCH_NCCL_ENABLE_TIMING=1 sagt der nächste Dump, welche GPU den Aufruf nicht erreicht hat.</translation>
    </message>
    <message>
        <source>What to do: look at the GPU of that rank (nvidia-smi, Xid messages in dmesg) and at its links.</source>
        <translation>Was zu tun ist: Prüfen Sie die GPU dieses Rangs (nvidia-smi, Xid-Meldungen in dmesg) und ihre Links.</translation>
    </message>
    <message>
        <source>The same goes for %1.</source>
        <translation>Dasselbe gilt für %1.</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 left no dump: crashed, killed, or out of reach.</source>
        <translation>
            <numerusform>Rang %1 hinterließ keinen Dump: abgestürzt, beendet oder nicht erreichbar.</numerusform>
            <numerusform>Die Ränge %1 hinterließen keinen Dump: abgestürzt, beendet oder nicht erreichbar.</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1 is at fault. %2%3</source>
        <translation>Rang %1 ist schuld. %2%3</translation>
    </message>
    <message>
        <source>Rank %1 may be at fault. %2%3</source>
        <translation>Rang %1 ist vielleicht schuld. %2%3</translation>
    </message>
    <message>
        <source>%1 called %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Different %1 in %2: %3.</source>
        <translation>Verschiedene %1 in %2: %3.</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 only wait for others.</source>
        <translation>
            <numerusform>Rang %1 wartet nur auf andere.</numerusform>
            <numerusform>Die Ränge %1 warten nur auf andere.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 wait for a rank whose dump is missing. If it came, one of them may be at fault.</source>
        <translation>
            <numerusform>Rang %1 wartet auf einen Rang, dessen Dump fehlt. Falls dieser gekommen ist, kann er selbst schuld sein.</numerusform>
            <numerusform>Die Ränge %1 warten auf einen Rang, dessen Dump fehlt. Falls dieser gekommen ist, kann einer von ihnen schuld sein.</numerusform>
        </translation>
    </message>
    <message>
        <source>needs runtime or driver calls with the correlation ids of the GPU work they launch</source>
        <translation>braucht Runtime- oder Driver-Aufrufe mit den Korrelationsnummern der GPU-Arbeit, die sie starten</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 %2 nach %3</translation>
    </message>
    <message>
        <source>no module is named around the kernels: record with with_stack=True or with_modules=True, or keep the capture of the graphs beside the trace</source>
        <translation>um die Kernel ist kein Modul genannt: Zeichnen Sie mit with_stack=True oder with_modules=True auf, oder lassen Sie die Aufzeichnung der Graphen neben dem Trace</translation>
    </message>
    <message>
        <source>one rank is no pipeline</source>
        <translation>ein Rang ist keine Pipeline</translation>
    </message>
    <message>
        <source>no pipeline: %1 is 1</source>
        <translation>keine Pipeline: %1 ist 1</translation>
    </message>
    <message>
        <source>no pipeline is recorded: no group of pipeline stages, no messages between ranks, and no workload card that names stages</source>
        <translation>es ist keine Pipeline aufgezeichnet: keine Gruppe von Pipeline-Stufen, keine Nachrichten zwischen Rängen und keine Workload Card, die Stufen nennt</translation>
    </message>
    <message numerus="yes">
        <source>%1 unnamed steps</source>
        <translation>
            <numerusform>%1 unbenannter Schritt</numerusform>
            <numerusform>%1 unbenannte Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %2 steps</source>
        <translation>
            <numerusform>%1 %2-Schritt</numerusform>
            <numerusform>%1 %2-Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> of %1 requests</source>
        <translation>
            <numerusform> mit %1 Anfrage</numerusform>
            <numerusform> mit %1 Anfragen</numerusform>
        </translation>
    </message>
    <message>
        <source>: no GPU work is linked to them.</source>
        <translation>: mit ihnen ist keine GPU-Arbeit verknüpft.</translation>
    </message>
    <message numerus="yes">
        <source> take %1 each (median)</source>
        <translation>
            <numerusform> dauert %1</numerusform>
            <numerusform> dauern je %1 (Median)</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 %2 %</source>
        <translation>, %1: %2 %</translation>
    </message>
    <message>
        <source>needs a step graph: GPU work inside the selected steps</source>
        <translation>braucht einen Schrittgraphen: GPU-Arbeit in den gewählten Schritten</translation>
    </message>
    <message>
        <source>needs collectives or messages that join two ranks at least</source>
        <translation>braucht Kollektiven oder Nachrichten, die mindestens zwei Ränge verbinden</translation>
    </message>
    <message>
        <source>the run is too large to be replayed once for each of its data-parallel ranks; choose fewer steps</source>
        <translation>der Lauf ist zu groß, um für jeden seiner datenparallelen Ränge einmal durchgespielt zu werden; wählen Sie weniger Schritte</translation>
    </message>
    <message>
        <source>the steps take no time</source>
        <translation>die Schritte brauchen keine Zeit</translation>
    </message>
    <message>
        <source>delays between operations are %1 % of a step; the operations alone say little of it</source>
        <translation>Verzögerungen zwischen Operationen sind %1 % eines Schritts; die Operationen allein sagen wenig über ihn</translation>
    </message>
    <message>
        <source>the operations of a step wait for each other in a circle: their order is not that of a pipeline</source>
        <translation>die Operationen eines Schritts warten im Kreis aufeinander: ihre Reihenfolge ist nicht die einer Pipeline</translation>
    </message>
    <message>
        <source>no operation timeline</source>
        <translation>keine Operations-Zeitleiste</translation>
    </message>
    <message>
        <source>needs the operations of all %1 workers (%2 data-parallel ranks of %3 stages); %4 are recorded</source>
        <translation>braucht die Operationen aller %1 Worker (%2 datenparallele Ränge mit je %3 Stufen); %4 sind aufgezeichnet</translation>
    </message>
    <message>
        <source>no step has operations of all stages</source>
        <translation>kein Schritt hat Operationen aller Stufen</translation>
    </message>
    <message>
        <source>no step has the same operations on all ranks</source>
        <translation>kein Schritt hat auf allen Rängen dieselben Operationen</translation>
    </message>
    <message>
        <source>needs the GPU work of two ranks at least</source>
        <translation>braucht die GPU-Arbeit von mindestens zwei Rängen</translation>
    </message>
    <message>
        <source>needs steps in which the GPU computes</source>
        <translation>braucht Schritte, in denen die GPU rechnet</translation>
    </message>
    <message>
        <source>the operations of all steps take no time</source>
        <translation>die Operationen aller Schritte brauchen keine Zeit</translation>
    </message>
    <message>
        <source>more like it, not listed one by one</source>
        <translation>weitere dieser Art, nicht einzeln aufgeführt</translation>
    </message>
    <message>
        <source>%1 beside it holds changes that are not in it yet: it is being written, or the writer was interrupted, and events may be missing</source>
        <translation>%1 daneben enthält Änderungen, die noch nicht darin sind: Die Datei wird gerade geschrieben, oder das Schreiben wurde unterbrochen, und Ereignisse können fehlen</translation>
    </message>
    <message>
        <source>nodes without an id or a name were left out</source>
        <translation>Knoten ohne Nummer oder Namen wurden weggelassen</translation>
    </message>
    <message>
        <source>the configuration beside the traces is larger than %1: the rest of it is not read</source>
        <translation>die Konfiguration neben den Traces ist größer als %1: der Rest wird nicht gelesen</translation>
    </message>
    <message>
        <source>larger than %1: its requests are not read, only the medians, means and percentiles of the whole benchmark</source>
        <translation>größer als %1: die Anfragen werden nicht gelesen, nur die Mediane, Mittelwerte und Perzentile des ganzen Benchmarks</translation>
    </message>
    <message>
        <source>%1: not read</source>
        <translation>%1: nicht gelesen</translation>
    </message>
    <message>
        <source>no avg_latency in it</source>
        <translation>kein avg_latency darin</translation>
    </message>
    <message>
        <source>more than %1 loads in the gating logs of a run: not read</source>
        <translation>mehr als %1 Lasten in den Gating-Logs eines Laufs: nicht gelesen</translation>
    </message>
    <message>
        <source>deeper than %1 levels: not read</source>
        <translation>tiefer als %1 Ebenen: nicht gelesen</translation>
    </message>
    <message>
        <source>no expert_loads in it</source>
        <translation>keine expert_loads darin</translation>
    </message>
    <message>
        <source>not valid YAML (%1); what stands before line %2 was read</source>
        <translation>kein gültiges YAML (%1); gelesen wurde, was vor Zeile %2 steht</translation>
    </message>
    <message>
        <source>not valid TOML: %1 (line %2)</source>
        <translation>kein gültiges TOML: %1 (Zeile %2)</translation>
    </message>
    <message>
        <source>another workload card was read before; this one is not used</source>
        <translation>davor wurde eine andere Workload Card gelesen; diese wird nicht verwendet</translation>
    </message>
    <message>
        <source>%1 cannot be listed: %2; traces in it are missing</source>
        <translation>%1 lässt sich nicht auflisten: %2; Traces darin fehlen</translation>
    </message>
    <message>
        <source>named like the trace of rank %1, but it is no trace: not shown</source>
        <translation>heißt wie der Trace von Rang %1, ist aber kein Trace: nicht gezeigt</translation>
    </message>
    <message>
        <source>the export is older than its report, and nsys is not installed to make a new one: the old one is shown</source>
        <translation>der Export ist älter als sein Report, und nsys ist nicht installiert, um einen neuen zu machen: der alte wird gezeigt</translation>
    </message>
    <message>
        <source>the folder also holds %1, which are not shown beside the %2</source>
        <translation>der Ordner enthält auch %1; neben %2 werden sie nicht gezeigt</translation>
    </message>
    <message>
        <source>; --profile-mode %1 opens them</source>
        <translation>; --profile-mode %1 öffnet sie</translation>
    </message>
    <message>
        <source>rank %1 was recorded more than once: %2 is shown, this file is not</source>
        <translation>Rang %1 wurde mehrmals aufgezeichnet: gezeigt wird %2, diese Datei nicht</translation>
    </message>
    <message>
        <source>neither file nor name tells the rank; taken as rank %1 by its place in the folder</source>
        <translation>weder Datei noch Name nennt den Rang; nach dem Platz im Ordner als Rang %1 genommen</translation>
    </message>
    <message>
        <source>calls of the dump that could not be read were left out</source>
        <translation>Aufrufe des Dumps, die sich nicht lesen ließen, wurden weggelassen</translation>
    </message>
    <message>
        <source>the name says rank %1, the groups in the dump say rank %2: taken as %3</source>
        <translation>der Name sagt Rang %1, die Gruppen im Dump sagen Rang %2: als %3 genommen</translation>
    </message>
    <message>
        <source>the log has no times of calls, which NCCL_INSPECTOR_DUMP_VERBOSE=1 adds: calls of a communicator are shown one behind the other, as long as they took</source>
        <translation>das Log hat keine Zeiten der Aufrufe, die NCCL_INSPECTOR_DUMP_VERBOSE=1 hinzufügt: Aufrufe eines Communicators werden hintereinander gezeigt, so lang, wie sie dauerten</translation>
    </message>
    <message>
        <source>the Inspector overwrote records of calls before they were written</source>
        <translation>der Inspector hat Einträge von Aufrufen überschrieben, bevor sie geschrieben wurden</translation>
    </message>
    <message>
        <source>, at %1 MHz on mean</source>
        <translation>, im Mittel bei %1 MHz</translation>
    </message>
    <message>
        <source>all GPUs</source>
        <translation>alle GPUs</translation>
    </message>
    <message numerus="yes">
        <source>the GPUs of ranks %1</source>
        <translation>
            <numerusform>die GPU von Rang %1</numerusform>
            <numerusform>die GPUs der Ränge %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The power limit holds back %1 for %4 % of the time (%2 of %3 W)%5</source>
        <translation>Die Leistungsgrenze bremst %1 in %4 % der Zeit (%2 von %3 W)%5</translation>
    </message>
    <message>
        <source>The power limit holds back %1 for %2 % of the time%3</source>
        <translation>Die Leistungsgrenze bremst %1 in %2 % der Zeit%3</translation>
    </message>
    <message>
        <source>The temperature limit holds back %1 for %2 % of the time%3</source>
        <translation>Die Temperaturgrenze bremst %1 in %2 % der Zeit%3</translation>
    </message>
    <message>
        <source>The hardware slows down %1 for %2 % of the time%3; the log does not say why</source>
        <translation>Die Hardware bremst %1 in %2 % der Zeit%3; das Log sagt nicht, warum</translation>
    </message>
    <message>
        <source>Clocks that were set hold back %1 for %2 % of the time%3</source>
        <translation>Eingestellte Takte bremsen %1 in %2 % der Zeit%3</translation>
    </message>
    <message>
        <source>The power of %1 is close to its limit, %2 of %3 W%4</source>
        <translation>Nahe an ihrer Leistungsgrenze, bei %2 von %3 W, liegen: %1%4</translation>
    </message>
    <message>
        <source>No GPU is held back by power or temperature; they run at %1 MHz on mean</source>
        <translation>Keine GPU wird von Leistung oder Temperatur gebremst; sie laufen im Mittel mit %1 MHz</translation>
    </message>
    <message>
        <source>None of the GPUs with a log is held back by power or temperature; they run at %1 MHz on mean</source>
        <translation>Keine der GPUs mit einem Log wird von Leistung oder Temperatur gebremst; sie laufen im Mittel mit %1 MHz</translation>
    </message>
    <message>
        <source>The PCIe link of %1 has %2 lanes, that of others %3</source>
        <translation>Weniger PCIe-Lanes (%2 statt %3) als andere hat, laut Log: %1</translation>
    </message>
    <message>
        <source>The memory of %1 had %2 uncorrected ECC errors during the recording</source>
        <translation>Nicht korrigierte ECC-Fehler während der Aufnahme (%2): %1</translation>
    </message>
    <message>
        <source> (temperature limit)</source>
        <translation> (Temperaturgrenze)</translation>
    </message>
    <message>
        <source> (power limit)</source>
        <translation> (Leistungsgrenze)</translation>
    </message>
    <message>
        <source> (slowed down by the hardware)</source>
        <translation> (von der Hardware gebremst)</translation>
    </message>
    <message>
        <source> (clocks that were set)</source>
        <translation> (eingestellte Takte)</translation>
    </message>
    <message>
        <source>; its GPU&apos;s clock is not the reason: %1 MHz, %2 on its peers</source>
        <translation>; der Takt ihrer GPU ist nicht der Grund: %1 MHz, bei den anderen %2</translation>
    </message>
    <message>
        <source>; its GPU runs at %1 instead of %2 MHz%3, which explains all of it: work that only depends on the clock would take %4×</source>
        <translation>; ihre GPU läuft mit %1 statt %2 MHz%3, was alles erklärt: Arbeit, die nur vom Takt abhängt, würde %4-mal so lange dauern</translation>
    </message>
    <message>
        <source>; its GPU runs at %1 instead of %2 MHz%3: that explains %4 of the %5</source>
        <translation>; ihre GPU läuft mit %1 statt %2 MHz%3: Das erklärt %4 von den %5</translation>
    </message>
    <message>
        <source>it is a log of GPUs; put it into the folder of the traces, and open that</source>
        <translation>es ist ein Log von GPUs; legen Sie es in den Ordner der Traces und öffnen Sie diesen</translation>
    </message>
    <message>
        <source>no line names the columns</source>
        <translation>keine Zeile nennt die Spalten</translation>
    </message>
    <message>
        <source>its times were moved by %1, where its utilization fits the GPUs&apos; activity</source>
        <translation>seine Zeiten wurden um %1 verschoben, wo seine Auslastung zur Aktivität der GPUs passt</translation>
    </message>
    <message>
        <source>its times are %1, as they overlap with the traces</source>
        <translation>seine Zeiten sind %1, denn so überlappen sie mit den Traces</translation>
    </message>
    <message>
        <source>its utilization differs from the GPUs&apos; activity in the traces by %1 percentage points (root mean square; samples: %2)</source>
        <translation>seine Auslastung weicht von der Aktivität der GPUs in den Traces um %1 Prozentpunkte ab (quadratisches Mittel; Messwerte: %2)</translation>
    </message>
    <message>
        <source>%1: not joined, because %2</source>
        <translation>%1: nicht zugeordnet, denn: %2</translation>
    </message>
    <message>
        <source>%1: joined to %2; %3; %4</source>
        <translation>%1: zugeordnet: %2; %3; %4</translation>
    </message>
    <message>
        <source>it is no log of nvidia-smi, amd-smi, rocm-smi or DCGM</source>
        <translation>es ist kein Log von nvidia-smi, amd-smi, rocm-smi oder DCGM</translation>
    </message>
    <message>
        <source>it has no time in common with the traces</source>
        <translation>es hat keine Zeit mit den Traces gemeinsam</translation>
    </message>
    <message>
        <source>it has no time in common with the traces, in whatever time zone</source>
        <translation>es hat in keiner Zeitzone eine Zeit mit den Traces gemeinsam</translation>
    </message>
    <message>
        <source>its utilization differs from the GPUs&apos; activity in the traces by %1 percentage points</source>
        <translation>seine Auslastung weicht von der Aktivität der GPUs in den Traces um %1 Prozentpunkte ab</translation>
    </message>
    <message>
        <source>the GPU has another number in the traces, and no sample of its utilization lies inside them</source>
        <translation>die GPU hat in den Traces eine andere Nummer, und kein Messwert ihrer Auslastung liegt innerhalb der Traces</translation>
    </message>
    <message>
        <source>its utilization fits the GPUs&apos; activity in no time zone</source>
        <translation>seine Auslastung passt in keiner Zeitzone zur Aktivität der GPUs</translation>
    </message>
    <message>
        <source>its times have no zone, and several zones fit the traces</source>
        <translation>seine Zeiten haben keine Zeitzone, und mehrere passen zu den Traces</translation>
    </message>
    <message>
        <source>the times of the traces do not count from 1970, and the GPUs&apos; activity does not tell where in the log they are</source>
        <translation>die Zeiten der Traces zählen nicht ab 1970, und die Aktivität der GPUs sagt nicht, wo im Log sie liegen</translation>
    </message>
    <message>
        <source>it has no times</source>
        <translation>es hat keine Zeiten</translation>
    </message>
    <message>
        <source>no trace tells that it was recorded on %1</source>
        <translation>kein Trace sagt, dass er auf %1 aufgenommen wurde</translation>
    </message>
    <message>
        <source>no rank beside it has GPU work</source>
        <translation>kein Rang daneben hat GPU-Arbeit</translation>
    </message>
    <message>
        <source>the ranks beside it are of several machines, and which of them it is of is not told</source>
        <translation>die Ränge daneben sind von mehreren Maschinen, und von welcher das Log ist, steht nirgends</translation>
    </message>
    <message>
        <source>its rows are of several GPUs, and no column tells which (query index or uuid)</source>
        <translation>seine Zeilen sind von mehreren GPUs, und keine Spalte sagt, von welcher (index oder uuid abfragen)</translation>
    </message>
    <message>
        <source>its %1 GPUs cannot be told apart in the traces: %2 ranks call theirs GPU %3</source>
        <translation>seine %1 GPUs lassen sich in den Traces nicht unterscheiden: %2 Ränge nennen ihre GPU %3</translation>
    </message>
    <message>
        <source>none of its GPUs has the number of a device in the traces</source>
        <translation>keine seiner GPUs hat die Nummer eines Geräts in den Traces</translation>
    </message>
    <message>
        <source>%1 of %2 lines do not fit the columns that the log names, or have no time: left out</source>
        <translation>%1 von %2 Zeilen passen nicht zu den Spalten, die das Log nennt, oder haben keine Zeit: ausgelassen</translation>
    </message>
    <message>
        <source>lines that are no record of a call were left out</source>
        <translation>Zeilen, die kein Eintrag eines Aufrufs sind, wurden weggelassen</translation>
    </message>
    <message>
        <source>%1: what follows is missing</source>
        <translation>%1: was folgt, fehlt</translation>
    </message>
    <message>
        <source>header key &quot;%1&quot; is not valid JSON and was ignored</source>
        <translation>der Schlüssel &quot;%1&quot; des Kopfs ist kein gültiges JSON und wurde übergangen</translation>
    </message>
    <message>
        <source>begin or end events without their counterpart were left out</source>
        <translation>Anfangs- oder Endereignisse ohne ihr Gegenstück wurden weggelassen</translation>
    </message>
    <message>
        <source>events that could not be read were left out</source>
        <translation>Ereignisse, die sich nicht lesen ließen, wurden weggelassen</translation>
    </message>
    <message>
        <source>events of the category &quot;%1&quot; ran on a stream of a device; they are shown, but count neither as computation nor as communication</source>
        <translation>Ereignisse der Kategorie &quot;%1&quot; liefen auf einem Stream eines Geräts; sie werden gezeigt, zählen aber weder als Rechnen noch als Kommunikation</translation>
    </message>
    <message>
        <source>events with a negative duration count as instants</source>
        <translation>Ereignisse mit negativer Dauer zählen als Zeitpunkte</translation>
    </message>
    <message>
        <source>parts of the file are not valid JSON and were repaired while reading</source>
        <translation>Teile der Datei sind kein gültiges JSON und wurden beim Lesen repariert</translation>
    </message>
    <message>
        <source>baseTimeNanoseconds is %1, which no clock shows: it was not added to the times</source>
        <translation>baseTimeNanoseconds ist %1, was keine Uhr zeigt: wurde nicht zu den Zeiten addiert</translation>
    </message>
    <message>
        <source>%1: %2 events before the damage are shown, what follows is missing</source>
        <translation>%1: gezeigt werden %2 Ereignisse vor dem Schaden, was folgt, fehlt</translation>
    </message>
    <message>
        <source>the execution trace beside it is of another program: nothing is taken from it</source>
        <translation>der Execution Trace daneben ist von einem anderen Programm: nichts wird ihm entnommen</translation>
    </message>
    <message>
        <source>the execution trace numbers its operators otherwise: %1 of %2 are joined by thread, order and name</source>
        <translation>der Execution Trace nummeriert seine Operatoren anders: %1 von %2 sind über Thread, Reihenfolge und Namen verbunden</translation>
    </message>
    <message>
        <source>the profile is of a host with %1 devices; they are taken as ranks %2 to %3, hosts in the order of their names</source>
        <translation>das Profil ist von einem Host mit %1 Geräten; sie werden als Ränge %2 bis %3 genommen, Hosts in der Reihenfolge ihrer Namen</translation>
    </message>
    <message>
        <source>the report holds %1 processes and devices that compute; they are taken as ranks %2 to %3 in the order of their ranks, where recorded, and devices</source>
        <translation>der Report enthält %1 Prozesse und Geräte, die rechnen; sie werden als Ränge %2 bis %3 genommen, in der Reihenfolge ihrer Ränge, wo aufgezeichnet, und Geräte</translation>
    </message>
    <message>
        <source>the traces say %1 ranks, yet rank %2 is there</source>
        <translation>die Traces nennen %1 Ränge, aber Rang %2 ist da</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have no trace here: they are in no total and no mean</source>
        <translation>%1 von %2 Rängen haben hier keinen Trace: Sie sind in keiner Summe und keinem Mittel</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have no GPU events: times on the GPU are not known for them</source>
        <translation>%1 von %2 Rängen haben keine GPU-Ereignisse: ihre Zeiten auf der GPU sind nicht bekannt</translation>
    </message>
    <message>
        <source>the calls of the traces fit the Inspector&apos;s %1 records by kind and size in several places, and no times tell which: none is joined</source>
        <translation>die Aufrufe der Traces passen nach Art und Größe an mehreren Stellen zu den %1 Einträgen des Inspectors, und keine Zeiten sagen, wo: keiner ist verbunden</translation>
    </message>
    <message>
        <source>%1 of %2 records of the Inspector match no collective of the traces by order, kind and size</source>
        <translation>%1 von %2 Einträgen des Inspectors passen nach Reihenfolge, Art und Größe zu keiner Kollektive der Traces</translation>
    </message>
    <message>
        <source>rank %1 has GPU work of devices %2: its GPU is busy while any of them is, and idle while none is</source>
        <translation>Rang %1 hat GPU-Arbeit der Geräte %2: seine GPU ist beschäftigt, solange eines es ist, und untätig, solange keines es ist</translation>
    </message>
    <message>
        <source>rank %1 lacks step %2 that other ranks have</source>
        <translation>Rang %1 fehlt Schritt %2, den andere Ränge haben</translation>
    </message>
    <message>
        <source>rank %1 lacks step %2 and %3 more that other ranks have</source>
        <translation>Rang %1 fehlen Schritt %2 und %3 weitere, die andere Ränge haben</translation>
    </message>
    <message>
        <source>the recording of rank %1 stopped inside step %2, which does not count as a step</source>
        <translation>die Aufzeichnung von Rang %1 endete mitten in Schritt %2, der nicht als Schritt zählt</translation>
    </message>
    <message>
        <source>the trace holds no events</source>
        <translation>der Trace enthält keine Ereignisse</translation>
    </message>
    <message>
        <source>the clocks of the ranks are days apart: times of different ranks can be compared only where collectives align them</source>
        <translation>die Uhren der Ränge liegen Tage auseinander: Zeiten verschiedener Ränge lassen sich nur vergleichen, wo Kollektiven sie ausrichten</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are digests: of their CPU events only those are there that launch or wait for GPU work, and annotations</source>
        <translation>%1 von %2 Rängen sind Digests: von ihren CPU-Ereignissen sind nur die da, die GPU-Arbeit starten oder auf sie warten, und Annotationen</translation>
    </message>
    <message>
        <source>the run takes more than the memory budget of %1 (--memory): the events of %2 ranks stay on disk and are read when they are looked at</source>
        <translation>der Lauf braucht mehr als das Speicherbudget von %1 (--memory): die Ereignisse von %2 Rängen bleiben auf der Platte und werden gelesen, wenn man sie ansieht</translation>
    </message>
    <message>
        <source>the run takes more than the memory budget of %1 (--memory), and there is no room on disk for the rest of it</source>
        <translation>der Lauf braucht mehr als das Speicherbudget von %1 (--memory), und auf der Platte ist kein Platz für den Rest</translation>
    </message>
    <message>
        <source>recorded at another time than the files shown, of %1 of %2 ranks instead of %3: not shown</source>
        <translation>zu einer anderen Zeit aufgezeichnet als die gezeigten Dateien, von %1 von %2 Rängen statt von %3: nicht gezeigt</translation>
    </message>
    <message>
        <source>the meta file of the job is no list of keys and values</source>
        <translation>die Meta-Datei des Jobs ist keine Liste von Schlüsseln und Werten</translation>
    </message>
    <message>
        <source>the meta file of the job is not valid YAML: %1</source>
        <translation>die Meta-Datei des Jobs ist kein gültiges YAML: %1</translation>
    </message>
    <message>
        <source>%1 is no size of a mesh: %2</source>
        <translation>%1 ist keine Größe eines Meshs: %2</translation>
    </message>
    <message>
        <source>CUDA graphs were recorded as a whole (--cuda-graph-trace=graph): computation and communication inside cannot be told apart and count as computation</source>
        <translation>CUDA-Graphen wurden als Ganzes aufgezeichnet (--cuda-graph-trace=graph): Rechnen und Kommunikation darin lassen sich nicht unterscheiden und zählen als Rechnen</translation>
    </message>
    <message>
        <source>the report speaks of more than %1 devices in a process, or %2 in all, which no machine has: what is on the others is not shown</source>
        <translation>der Report nennt mehr als %1 Geräte in einem Prozess oder %2 insgesamt, was keine Maschine hat: was auf den übrigen ist, wird nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 processes of the report do no GPU work: their %2 calls and ranges are not shown</source>
        <translation>%1 Prozesse des Reports tun keine GPU-Arbeit: ihre %2 Aufrufe und Bereiche werden nicht gezeigt</translation>
    </message>
    <message>
        <source>rows of %1 that have no time, no place or a value of the wrong type were left out</source>
        <translation>Zeilen von %1 ohne Zeit, ohne Ort oder mit einem Wert vom falschen Typ wurden weggelassen</translation>
    </message>
    <message>
        <source>parts of the table %1 cannot be read (%2): what was read is shown</source>
        <translation>Teile der Tabelle %1 lassen sich nicht lesen (%2): gezeigt wird, was gelesen wurde</translation>
    </message>
    <message>
        <source>events that end before they start count as instants</source>
        <translation>Ereignisse, die vor ihrem Anfang enden, zählen als Zeitpunkte</translation>
    </message>
    <message>
        <source>NVTX ranges that nobody closed are shown up to the last event</source>
        <translation>NVTX-Bereiche, die niemand geschlossen hat, werden bis zum letzten Ereignis gezeigt</translation>
    </message>
    <message>
        <source>%1 is no table but a view or the like, which is never run: it is ignored</source>
        <translation>%1 ist keine Tabelle, sondern eine View oder Ähnliches, was nie ausgeführt wird: wird übergangen</translation>
    </message>
    <message>
        <source>exported with schema %1, which is newer than the newest known one, %2.%3: tables and columns that have other names now are missing here</source>
        <translation>mit Schema %1 exportiert, das neuer ist als das neueste bekannte, %2.%3: Tabellen und Spalten, die jetzt anders heißen, fehlen hier</translation>
    </message>
    <message>
        <source>the table StringIds is missing: kernels and calls have no names</source>
        <translation>die Tabelle StringIds fehlt: Kernel und Aufrufe haben keine Namen</translation>
    </message>
    <message>
        <source>the table StringIds ends early (%1): some names are missing</source>
        <translation>die Tabelle StringIds endet zu früh (%1): einige Namen fehlen</translation>
    </message>
    <message>
        <source>the report does not say when it began: times count from its beginning, and other reports can only be aligned by their collectives</source>
        <translation>der Report sagt nicht, wann er begann: Zeiten zählen von seinem Anfang, und andere Reports lassen sich nur nach ihren Kollektiven ausrichten</translation>
    </message>
    <message>
        <source>rows that could not be read were left out</source>
        <translation>Zeilen, die sich nicht lesen ließen, wurden weggelassen</translation>
    </message>
    <message>
        <source>the number of the device is cut off: such rows count for device 0; print the report as CSV to keep devices apart</source>
        <translation>die Nummer des Geräts ist abgeschnitten: solche Zeilen zählen für Gerät 0; geben Sie den Report als CSV aus, um Geräte zu unterscheiden</translation>
    </message>
    <message>
        <source>more than %1 devices: rows of the others were left out</source>
        <translation>mehr als %1 Geräte: Zeilen der übrigen wurden weggelassen</translation>
    </message>
    <message>
        <source>the report of nsys stats has no launches and no ranges: what the host did is not known</source>
        <translation>der Report von nsys stats enthält keine Launches und keine Bereiche: was der Host tat, ist nicht bekannt</translation>
    </message>
    <message>
        <source>the report holds sums of kernels without their times: there is a kernel table and no timeline</source>
        <translation>der Report enthält Summen von Kerneln ohne ihre Zeiten: es gibt eine Kerneltabelle und keine Zeitachse</translation>
    </message>
    <message>
        <source>operations whose thread has no name that tells its rank were left out</source>
        <translation>Operationen, deren Thread keinen Namen mit seinem Rang hat, wurden weggelassen</translation>
    </message>
    <message>
        <source>operations that end before they start count as instants</source>
        <translation>Operationen, die vor ihrem Anfang enden, zählen als Zeitpunkte</translation>
    </message>
    <message>
        <source>parts of the file are not valid JSON; they were repaired</source>
        <translation>Teile der Datei sind kein gültiges JSON; sie wurden repariert</translation>
    </message>
    <message>
        <source>%1: %2 operations before the damage are shown, what follows is missing</source>
        <translation>%1: gezeigt werden %2 Operationen vor dem Schaden, was folgt, fehlt</translation>
    </message>
    <message>
        <source>operations that could not be read, or have no step, were left out</source>
        <translation>Operationen, die sich nicht lesen ließen oder keinen Schritt haben, wurden weggelassen</translation>
    </message>
    <message>
        <source>parts of the file cannot be read (%1): what was read is shown</source>
        <translation>Teile der Datei lassen sich nicht lesen (%1): gezeigt wird, was gelesen wurde</translation>
    </message>
    <message>
        <source>rows of the table %1 without a time, a place or a value of the wrong type were left out</source>
        <translation>Zeilen der Tabelle %1 ohne Zeit, ohne Ort oder mit einem Wert vom falschen Typ wurden weggelassen</translation>
    </message>
    <message>
        <source>%1 processes do no GPU work and are not shown</source>
        <translation>%1 Prozesse tun keine GPU-Arbeit und werden nicht gezeigt</translation>
    </message>
    <message>
        <source>the file ends early or is damaged: what follows is missing</source>
        <translation>die Datei endet zu früh oder ist beschädigt: was folgt, fehlt</translation>
    </message>
    <message>
        <source>events with impossible times were left out</source>
        <translation>Ereignisse mit unmöglichen Zeiten wurden weggelassen</translation>
    </message>
    <message>
        <source>the profiler wrote: %1</source>
        <translation>der Profiler schrieb: %1</translation>
    </message>
    <message>
        <source>only collectives are recorded, not what else the GPUs do</source>
        <translation>nur Kollektiven sind aufgezeichnet, nicht, was die GPUs sonst tun</translation>
    </message>
    <message>
        <source>the recording does not say when calls start</source>
        <translation>die Aufzeichnung sagt nicht, wann Aufrufe beginnen</translation>
    </message>
    <message>
        <source>needs GPU events: kernels, copies or sets</source>
        <translation>braucht GPU-Ereignisse: Kernel, Kopien oder Füllen von Speicher</translation>
    </message>
    <message>
        <source>needs collectives</source>
        <translation>braucht Kollektiven</translation>
    </message>
    <message>
        <source>needs collectives with recorded sizes that every traced member ran</source>
        <translation>braucht Kollektiven mit aufgezeichneten Größen, die jedes aufgezeichnete Mitglied ausgeführt hat</translation>
    </message>
    <message>
        <source>needs communication kernels</source>
        <translation>braucht Kommunikationskernel</translation>
    </message>
    <message>
        <source>no CUDA or HIP graph was launched in what is looked at</source>
        <translation>in dem, was betrachtet wird, wurde kein CUDA- oder HIP-Graph gestartet</translation>
    </message>
    <message>
        <source>no whole iteration (ProfilerStep#N, or a step of a serving engine) lies in the selection</source>
        <translation>keine ganze Iteration (ProfilerStep#N oder ein Schritt einer Serving-Engine) liegt in der Auswahl</translation>
    </message>
    <message>
        <source>needs ProfilerStep#N annotations, or a sequence of collectives or kernels that repeats at least three times</source>
        <translation>braucht Annotationen ProfilerStep#N oder eine Folge von Kollektiven oder Kerneln, die sich mindestens dreimal wiederholt</translation>
    </message>
    <message>
        <source>needs [memory] instants of a GPU (record with profile_memory=True)</source>
        <translation>braucht [memory]-Zeitpunkte einer GPU (zeichnen Sie mit profile_memory=True auf)</translation>
    </message>
    <message>
        <source>its value is not a finite number for this trace</source>
        <translation>der Wert ist für diesen Trace keine endliche Zahl</translation>
    </message>
    <message>
        <source>needs workload_card.yaml: %1</source>
        <translation>braucht workload_card.yaml: %1</translation>
    </message>
    <message>
        <source>%1, or operators with recorded FLOPs (with_flops=True) or shapes (record_shapes=True)</source>
        <translation>%1, oder Operatoren mit aufgezeichneten FLOPs (with_flops=True) oder Formen (record_shapes=True)</translation>
    </message>
    <message>
        <source>no peak throughput known for device &quot;%1&quot; at %2</source>
        <translation>für das Gerät &quot;%1&quot; ist bei %2 keine Spitzenleistung bekannt</translation>
    </message>
    <message>
        <source>needs CPU operators that GPU work links to (External id, or a launch inside an operator)</source>
        <translation>braucht CPU-Operatoren, mit denen GPU-Arbeit verknüpft ist (External id, oder ein Launch in einem Operator)</translation>
    </message>
    <message>
        <source>needs GPU work inside the selected steps</source>
        <translation>braucht GPU-Arbeit in den gewählten Schritten</translation>
    </message>
    <message>
        <source>needs operators with recorded shapes that a model knows (record with record_shapes=True)</source>
        <translation>braucht Operatoren mit aufgezeichneten Formen, die ein Modell kennt (zeichnen Sie mit record_shapes=True auf)</translation>
    </message>
    <message>
        <source>no matrix multiplication, convolution or attention with recorded shapes</source>
        <translation>keine Matrixmultiplikation, Faltung oder Attention mit aufgezeichneten Formen</translation>
    </message>
    <message>
        <source>needs an inference run: bench_results.jsonl, or the steps of vLLM (execute_context_...), SGLang (step[...], run_batch) or TensorRT-LLM ([Executor] _forward_step) in the trace</source>
        <translation>braucht einen Inferenzlauf: bench_results.jsonl, oder die Schritte von vLLM (execute_context_...), SGLang (step[...], run_batch) oder TensorRT-LLM ([Executor] _forward_step) im Trace</translation>
    </message>
    <message>
        <source>the trace holds no GPU work that the steps launched</source>
        <translation>der Trace enthält keine GPU-Arbeit, die die Schritte gestartet haben</translation>
    </message>
    <message>
        <source>the trace does not tell which steps compute prompts and which generate: record with annotations, or with Python frames</source>
        <translation>der Trace sagt nicht, welche Schritte Prompts berechnen und welche Token erzeugen: zeichnen Sie mit Annotationen oder mit Python-Frames auf</translation>
    </message>
    <message>
        <source>no step was recorded that only decodes</source>
        <translation>kein Schritt wurde aufgezeichnet, der nur dekodiert</translation>
    </message>
    <message>
        <source>only for inference: the workload card says training</source>
        <translation>nur für Inferenz: die Workload Card sagt Training</translation>
    </message>
    <message>
        <source>the results of the benchmark beside the trace are too large to be read</source>
        <translation>die Ergebnisse des Benchmarks neben dem Trace sind zu groß, um gelesen zu werden</translation>
    </message>
    <message>
        <source>steps compute more tokens than requests decode (speculative decoding), and their names do not tell how many the requests received: give the mean acceptance length in the workload card (%1)</source>
        <translation>Schritte berechnen mehr Token, als Anfragen dekodieren (spekulatives Dekodieren), und ihre Namen sagen nicht, wie viele davon die Anfragen bekamen: die mittlere Akzeptanzlänge in der Workload Card angeben (%1)</translation>
    </message>
    <message>
        <source>the names of the engine&apos;s steps do not tell how many requests generate</source>
        <translation>die Namen der Schritte der Engine sagen nicht, für wie viele Anfragen Token erzeugt werden</translation>
    </message>
    <message>
        <source>no step with GPU work generates tokens</source>
        <translation>kein Schritt mit GPU-Arbeit erzeugt Token</translation>
    </message>
    <message>
        <source>needs &quot;blocks per SM&quot; of kernels, which traces from AMD devices do not record; of Nsight Systems the list of GPUs (TARGET_INFO_GPU) or sampled GPU metrics (--gpu-metrics-devices)</source>
        <translation>braucht &quot;blocks per SM&quot; der Kernel, die Traces von AMD-Geräten nicht aufzeichnen; von Nsight Systems die Liste der GPUs (TARGET_INFO_GPU) oder abgetastete GPU-Metriken (--gpu-metrics-devices)</translation>
    </message>
    <message>
        <source>needs traces of two ranks or more</source>
        <translation>braucht Traces von zwei oder mehr Rängen</translation>
    </message>
    <message>
        <source>needs collectives that every traced member of their group ran</source>
        <translation>braucht Kollektiven, die jedes aufgezeichnete Mitglied ihrer Gruppe ausgeführt hat</translation>
    </message>
    <message>
        <source>needs collectives inside the selected steps</source>
        <translation>braucht Kollektiven in den gewählten Schritten</translation>
    </message>
    <message>
        <source>needs collective arguments in the traces (sizes)</source>
        <translation>braucht Argumente der Kollektiven in den Traces (Größen)</translation>
    </message>
    <message>
        <source>needs a rank with two collective calls or more</source>
        <translation>braucht einen Rang mit zwei oder mehr kollektiven Aufrufen</translation>
    </message>
    <message>
        <source>there is no metric %1</source>
        <translation>es gibt keine Metrik %1</translation>
    </message>
    <message>
        <source>%1 is not available: %2</source>
        <translation>%1 ist nicht verfügbar: %2</translation>
    </message>
    <message>
        <source>%1 has no detail %2</source>
        <translation>%1 hat kein Detail %2</translation>
    </message>
    <message>
        <source>the expression has no finite value here (a division by zero?)</source>
        <translation>der Ausdruck hat hier keinen endlichen Wert (eine Division durch null?)</translation>
    </message>
    <message>
        <source>the iterations take no time</source>
        <translation>die Iterationen brauchen keine Zeit</translation>
    </message>
    <message>
        <source>needs workload_card.yaml: workload.data.batch_size, or train_config.toml: training.local_batch_size</source>
        <translation>braucht workload_card.yaml: workload.data.batch_size, oder train_config.toml: training.local_batch_size</translation>
    </message>
    <message>
        <source>needs workload_card.yaml: workload.data.seq_len, or train_config.toml: training.seq_len</source>
        <translation>braucht workload_card.yaml: workload.data.seq_len, oder train_config.toml: training.seq_len</translation>
    </message>
    <message>
        <source>batch size and sequence length must be positive</source>
        <translation>Batchgröße und Sequenzlänge müssen positiv sein</translation>
    </message>
    <message>
        <source>events or samples that lie days away from most were left out</source>
        <translation>Ereignisse oder Messwerte, die Tage von den meisten entfernt liegen, wurden weggelassen</translation>
    </message>
    <message>
        <source>launches of graphs whose kernels are in no capture beside the trace: their kernels have no operators</source>
        <translation>Launches von Graphen, deren Kernel in keiner Aufzeichnung neben dem Trace sind: ihre Kernel haben keine Operatoren</translation>
    </message>
    <message>
        <source>launches of graphs whose capture does not name its kernels: operators are assigned by order and number alone</source>
        <translation>Launches von Graphen, deren Aufzeichnung ihre Kernel nicht nennt: Operatoren sind nur nach Reihenfolge und Anzahl zugeordnet</translation>
    </message>
    <message>
        <source>over %1 stages</source>
        <translation>über %1 Stufen</translation>
    </message>
    <message>
        <source>stage %1, which computes most</source>
        <translation>Stufe %1, die am meisten rechnet</translation>
    </message>
    <message>
        <source>over %1 data-parallel ranks</source>
        <translation>über %1 datenparallele Ränge</translation>
    </message>
    <message>
        <source>data-parallel rank %1, which computes most</source>
        <translation>datenparalleler Rang %1, der am meisten rechnet</translation>
    </message>
    <message>
        <source>over %1 shards</source>
        <translation>über %1 Shards</translation>
    </message>
    <message>
        <source>shard %1, which computes most</source>
        <translation>Shard %1, der am meisten rechnet</translation>
    </message>
    <message>
        <source>over %1 context-parallel ranks</source>
        <translation>über %1 kontextparallele Ränge</translation>
    </message>
    <message>
        <source>context-parallel rank %1, which computes most</source>
        <translation>kontextparalleler Rang %1, der am meisten rechnet</translation>
    </message>
    <message>
        <source>over %1 tensor-parallel ranks</source>
        <translation>über %1 tensorparallele Ränge</translation>
    </message>
    <message>
        <source>tensor-parallel rank %1, which computes most</source>
        <translation>tensorparalleler Rang %1, der am meisten rechnet</translation>
    </message>
    <message>
        <source>over %1 expert-parallel ranks</source>
        <translation>über %1 expertenparallele Ränge</translation>
    </message>
    <message>
        <source>expert-parallel rank %1, which computes most</source>
        <translation>expertenparalleler Rang %1, der am meisten rechnet</translation>
    </message>
    <message>
        <source>over %1 ranks</source>
        <translation>über %1 Ränge</translation>
    </message>
    <message>
        <source>rank %1, which computes most</source>
        <translation>Rang %1, der am meisten rechnet</translation>
    </message>
    <message>
        <source>Stragglers cost nothing: with all operations of a type equally long a step would take %1 instead of %2 when it is replayed.</source>
        <translation>Nachzügler kosten nichts: Wären alle Operationen einer Art gleich lang, dauerte ein durchgespielter Schritt %1 statt %2.</translation>
    </message>
    <message>
        <source>Stragglers cost %1 % of a step, which takes %2 when it is replayed.</source>
        <translation>Nachzügler kosten %1 % eines Schritts, der durchgespielt %2 dauert.</translation>
    </message>
    <message>
        <source>Rank %1 is late for another reason, which the Overview gives.</source>
        <translation>Rang %1 ist aus einem anderen Grund spät, den die Übersicht nennt.</translation>
    </message>
    <message>
        <source>That is of the length of operations alone; findings about ranks cost more.</source>
        <translation>Das betrifft nur die Länge der Operationen; Befunde zu Rängen kosten mehr.</translation>
    </message>
    <message>
        <source>One worker explains %1 % of the slowdown: %2.</source>
        <translation>Ein Worker erklärt %1 % der Verlangsamung: %2.</translation>
    </message>
    <message>
        <source>The last stage explains %1 % of the slowdown.</source>
        <translation>Die letzte Stufe erklärt %1 % der Verlangsamung.</translation>
    </message>
    <message>
        <source>It varies from microbatch to microbatch: look at the lengths of their sequences.</source>
        <translation>Sie schwankt von Mikrobatch zu Mikrobatch: Sehen Sie sich die Längen ihrer Sequenzen an.</translation>
    </message>
    <message>
        <source>Of the types of operations, %1 costs most (%2 %).</source>
        <translation>Von den Arten der Operationen kostet %1 am meisten (%2 %).</translation>
    </message>
    <message>
        <source>The replay leaves out delays between operations: %1 % of the recorded step.</source>
        <translation>Das Durchspielen lässt Verzögerungen zwischen Operationen weg: %1 % des aufgezeichneten Schritts.</translation>
    </message>
    <message>
        <source>The replay is inexact here: its step is %1 % longer than the recorded one.</source>
        <translation>Das Durchspielen ist hier ungenau: Sein Schritt ist %1 % länger als der aufgezeichnete.</translation>
    </message>
    <message>
        <source>%1 of %2 steps do not have the operations of the others and are left out.</source>
        <translation>%1 von %2 Schritten haben nicht die Operationen der anderen und sind weggelassen.</translation>
    </message>
    <message>
        <source>no operation</source>
        <translation>keine Operation</translation>
    </message>
    <message>
        <source>metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>counters</source>
        <translation>Zählerwerte</translation>
    </message>
    <message>
        <source>flows</source>
        <translation>Flusspfeile</translation>
    </message>
    <message>
        <source>instants</source>
        <translation>Zeitpunkte</translation>
    </message>
    <message>
        <source>memory samples</source>
        <translation>Speichermesswerte</translation>
    </message>
    <message>
        <source>pair ends</source>
        <translation>Enden von Paaren</translation>
    </message>
    <message>
        <source>unpaired</source>
        <translation>ohne Gegenstück</translation>
    </message>
    <message>
        <source>malformed</source>
        <translation>fehlerhaft</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>abgeschnitten</translation>
    </message>
    <message>
        <source>stray</source>
        <translation>weit abseits</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>doppelt</translation>
    </message>
    <message>
        <source>other processes</source>
        <translation>andere Prozesse</translation>
    </message>
    <message>
        <source>digest</source>
        <translation>nicht im Digest</translation>
    </message>
    <message>
        <source>sums</source>
        <translation>Summen</translation>
    </message>
    <message>
        <source>other tables</source>
        <translation>andere Tabellen</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>nicht verstanden</translation>
    </message>
    <message>
        <source>digests</source>
        <translation>Digests</translation>
    </message>
    <message>
        <source>execution traces</source>
        <translation>Execution Traces</translation>
    </message>
    <message>
        <source>dumps of the Flight Recorder</source>
        <translation>Dumps des Flight Recorders</translation>
    </message>
    <message>
        <source>logs of the Inspector of NCCL</source>
        <translation>Logs des Inspectors von NCCL</translation>
    </message>
    <message>
        <source>Kineto traces</source>
        <translation>Kineto-Traces</translation>
    </message>
    <message>
        <source>exports of Nsight Systems</source>
        <translation>Exporte von Nsight Systems</translation>
    </message>
    <message>
        <source>reports of Nsight Systems</source>
        <translation>Reports von Nsight Systems</translation>
    </message>
    <message>
        <source>tables of nsys stats</source>
        <translation>Tabellen von nsys stats</translation>
    </message>
    <message>
        <source>operation timelines</source>
        <translation>Operations-Zeitleisten</translation>
    </message>
    <message>
        <source>databases of the ROCm profiler</source>
        <translation>Datenbanken des ROCm-Profilers</translation>
    </message>
    <message>
        <source>profiles of XLA</source>
        <translation>Profile von XLA</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>us</source>
        <translation>us</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>not computed</source>
        <translation>nicht berechnet</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>By the names of their steps the ranks serve different requests: whether one is slow cannot be told.</source>
        <translation>Nach den Namen ihrer Schritte bedienen die Ränge verschiedene Anfragen: Ob einer langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>By the names of their steps some ranks serve other requests than others: they are not compared with each other.</source>
        <translation>Nach den Namen ihrer Schritte bedienen manche Ränge andere Anfragen als andere: Sie werden nicht miteinander verglichen.</translation>
    </message>
    <message>
        <source>the results of benchmarks beside the traces are of %1 loads (%2; %3 ...), which have no common latency: not read; keep those of one</source>
        <translation>die Benchmark-Ergebnisse neben den Traces sind von %1 Lasten (%2; %3 ...), die keine gemeinsame Latenz haben: nicht gelesen; behalten Sie die von einer</translation>
    </message>
    <message>
        <source>steps with prompts follow each other, and their names do not tell which are chunks of one prompt: when it has its first token is not known</source>
        <translation>Schritte mit Prompts folgen aufeinander, und ihre Namen sagen nicht, welche Teile eines Prompts sind: Wann er sein erstes Token hat, ist nicht bekannt</translation>
    </message>
    <message>
        <source>One worker explains all of the slowdown: %1.</source>
        <translation>Ein Worker erklärt die ganze Verlangsamung: %1.</translation>
    </message>
    <message>
        <source>%1 (data-parallel rank %2)</source>
        <translation>%1 (datenparalleler Rang %2)</translation>
    </message>
    <message>
        <source>%1 (stage %2)</source>
        <translation>%1 (Stufe %2)</translation>
    </message>
    <message>
        <source>%1 (data-parallel rank %2, stage %3)</source>
        <translation>%1 (datenparalleler Rang %2, Stufe %3)</translation>
    </message>
    <message>
        <source>The last stage explains all of the slowdown.</source>
        <translation>Die letzte Stufe erklärt die ganze Verlangsamung.</translation>
    </message>
    <message>
        <source>a GPU would compute %1 TFLOP/s and can do %2 at most: the operators do not compute in the precision whose peak that is</source>
        <translation>eine GPU würde %1 TFLOP/s rechnen und kann höchstens %2: Die Operatoren rechnen nicht in der Genauigkeit, deren Höchstwert das ist</translation>
    </message>
    <message>
        <source>a GPU would compute %1 TFLOP/s and can do %2 at most: the workload card (parameters, tokens of a step, precision) is not of this trace</source>
        <translation>eine GPU würde %1 TFLOP/s rechnen und kann höchstens %2: Die Workload-Karte (Parameter, Tokens eines Schritts, Genauigkeit) gehört nicht zu diesem Trace</translation>
    </message>
    <message>
        <source>%1 groups of %2 ranks each (ranks %3 and so on)</source>
        <translation>%1 Gruppen von je %2 Rängen (Ränge %3 und so weiter)</translation>
    </message>
    <message>
        <source>Threads of a rank call the GPU side by side, as loaders and savers of checkpoints do: what the host costs cannot be told, nor how much a rank&apos;s delays do.</source>
        <translation>Threads eines Ranges rufen die GPU nebeneinander auf, wie Lader und Sicherer von Checkpoints es tun: Was der Host kostet, ist nicht zu sagen, und auch nicht, wie viel die Verspätungen eines Ranges kosten.</translation>
    </message>
    <message>
        <source>of %1 % of the time of communication it is not known which ranks it joins</source>
        <translation>von %1 % der Zeit der Kommunikation ist nicht bekannt, welche Ränge sie verbindet</translation>
    </message>
    <message>
        <source>threads of a rank call the GPU side by side, which a replay of the run cannot tell apart</source>
        <translation>Threads eines Ranges rufen die GPU nebeneinander auf, was ein Nachspielen des Laufs nicht auseinanderhalten kann</translation>
    </message>
    <message>
        <source> (it runs on %1, they on %2)</source>
        <translation> (er läuft auf %1, sie auf %2)</translation>
    </message>
    <message>
        <source>in the test nothing tells of %1 of its %2 calls an iteration when the last rank came: they may hold waits for it</source>
        <translation>im Test sagt bei %1 von %2 Aufrufen je Iteration nichts, wann der letzte Rang kam: Sie können Warten auf ihn enthalten</translation>
    </message>
    <message>
        <source>in the baseline nothing tells of %1 of its %2 calls an iteration when the last rank came: they may hold waits for it</source>
        <translation>in der Basis sagt bei %1 von %2 Aufrufen je Iteration nichts, wann der letzte Rang kam: Sie können Warten auf ihn enthalten</translation>
    </message>
    <message>
        <source>%1; not all of its members are traced: it may hold waits for the others</source>
        <translation>%1; nicht alle Mitglieder sind aufgezeichnet: Warten auf die anderen kann enthalten sein</translation>
    </message>
    <message>
        <source>steps with names</source>
        <translation>Schritte mit Namen</translation>
    </message>
    <message>
        <source>steps that are told by what repeats</source>
        <translation>Schritte, die sich aus Wiederholungen ergeben</translation>
    </message>
    <message>
        <source>no steps</source>
        <translation>keine Schritte</translation>
    </message>
    <message>
        <source>an iteration of one run is not one of the other: the baseline has %1, the test %2; what depends on where an iteration ends is not to be compared</source>
        <translation>eine Iteration des einen Laufs ist keine des anderen: Die Basis hat %1, der Test %2; was davon abhängt, wo eine Iteration endet, ist nicht vergleichbar</translation>
    </message>
    <message>
        <source>its operations take %1 instead of %2</source>
        <translation>seine Operationen dauern %1 statt %2</translation>
    </message>
    <message>
        <source>its kernels take %1 instead of %2</source>
        <translation>seine Kernel dauern %1 statt %2</translation>
    </message>
    <message>
        <source>its copies take %1 instead of %2</source>
        <translation>seine Kopien dauern %1 statt %2</translation>
    </message>
    <message>
        <source>its host keeps the GPU waiting %1 instead of %2</source>
        <translation>sein Host lässt die GPU %1 statt %2 warten</translation>
    </message>
    <message>
        <source>%1 instead of %2 pass between its operations</source>
        <translation>zwischen seinen Operationen vergehen %1 statt %2</translation>
    </message>
    <message>
        <source>%1 instead of %2 pass between its calls</source>
        <translation>zwischen seinen Aufrufen vergehen %1 statt %2</translation>
    </message>
    <message>
        <source>rank %1 takes %2 longer only %3: %4</source>
        <translation>Rang %1 braucht %2 länger, nur %3: %4</translation>
    </message>
    <message>
        <source>, and the others wait for it</source>
        <translation>, und die anderen warten darauf</translation>
    </message>
    <message>
        <source>, and the others waited for it</source>
        <translation>, und die anderen warteten darauf</translation>
    </message>
    <message>
        <source>stage %1 of the pipeline (%2) takes longer for its own work: %3</source>
        <translation>Stufe %1 der Pipeline (%2) braucht für die eigene Arbeit länger: %3</translation>
    </message>
    <message>
        <source>no rank makes the others wait any more: in the baseline one at a time did, its operations took %1 longer (%2)</source>
        <translation>kein Rang lässt die anderen mehr warten: In der Basis tat es immer einer, seine Operationen dauerten %1 länger (%2)</translation>
    </message>
    <message>
        <source>no rank makes the others wait any more: in the baseline one at a time did, its kernels took %1 longer (%2)</source>
        <translation>kein Rang lässt die anderen mehr warten: In der Basis tat es immer einer, seine Kernel dauerten %1 länger (%2)</translation>
    </message>
    <message>
        <source>no rank makes the others wait any more: in the baseline one at a time did, its host kept the GPU waiting %1 longer (%2)</source>
        <translation>kein Rang lässt die anderen mehr warten: In der Basis tat es immer einer, sein Host ließ die GPU %1 länger warten (%2)</translation>
    </message>
    <message>
        <source>no rank makes the others wait any more: in the baseline one at a time did, %1 more passed between its calls (%2)</source>
        <translation>kein Rang lässt die anderen mehr warten: In der Basis tat es immer einer, zwischen seinen Aufrufen verging %1 mehr (%2)</translation>
    </message>
    <message>
        <source>The same kernels take longer on a rank than on its peers. If it runs on another GPU, both are named.</source>
        <translation>Dieselben Kernel dauern auf einem Rang länger als auf seinesgleichen. Läuft er auf einer anderen GPU, werden beide genannt.</translation>
    </message>
    <message>
        <source>a replay without stragglers takes %1 % longer than the run, so it does not describe the run</source>
        <translation>ein Durchspielen ohne langsame Ränge dauert %1 % länger als der Lauf, beschreibt ihn also nicht</translation>
    </message>
    <message>
        <source>Which ranks are of one pipeline stage is not known, so each is compared with those that run the same kernels: a rank is called slow only if nearly all its kernels are.</source>
        <translation>Welche Ränge zu einer Pipeline-Stufe gehören, ist nicht bekannt, also wird jeder mit denen verglichen, die die gleichen Kernel ausführen: Ein Rang heißt nur dann langsam, wenn fast alle seine Kernel es sind.</translation>
    </message>
    <message>
        <source>A pipeline stage has one recorded rank, so ranks are compared with other stages: a rank is called slow only if nearly all its kernels are.</source>
        <translation>Eine Pipeline-Stufe hat einen aufgezeichneten Rang, also werden Ränge mit anderen Stufen verglichen: Ein Rang heißt nur dann langsam, wenn fast alle seine Kernel es sind.</translation>
    </message>
    <message>
        <source>All ranks of a pipeline stage compute slower than other stages, so ranks are compared with other stages: a rank is called slow only if nearly all its kernels are.</source>
        <translation>Alle Ränge einer Pipeline-Stufe rechnen langsamer als andere Stufen, also werden Ränge mit anderen Stufen verglichen: Ein Rang heißt nur dann langsam, wenn fast alle seine Kernel es sind.</translation>
    </message>
    <message>
        <source>what-if %1: %2</source>
        <translation>Was-wäre-wenn %1: %2</translation>
    </message>
    <message>
        <source>expected CHANGE=VALUE: straggler=median, comm=0, comm.tp=2x, overlap=perfect, host=0, kernel:REGEX=1.5x, rank.5=peers, stages=even, schedule=1f1b, microbatches=16</source>
        <translation>erwartet: ÄNDERUNG=WERT: straggler=median, comm=0, comm.tp=2x, overlap=perfect, host=0, kernel:REGEX=1.5x, rank.5=peers, stages=even, schedule=1f1b, microbatches=16</translation>
    </message>
    <message>
        <source>expected straggler=median</source>
        <translation>erwartet: straggler=median</translation>
    </message>
    <message>
        <source>expected overlap=perfect</source>
        <translation>erwartet: overlap=perfect</translation>
    </message>
    <message>
        <source>expected rank.N=peers</source>
        <translation>erwartet: rank.N=peers</translation>
    </message>
    <message>
        <source>expected stage.N=mean or stages=even</source>
        <translation>erwartet: stage.N=mean oder stages=even</translation>
    </message>
    <message>
        <source>expected operation.TYPE=ideal</source>
        <translation>erwartet: operation.TYPE=ideal</translation>
    </message>
    <message>
        <source>expected link.GROUP=peers</source>
        <translation>erwartet: link.GROUP=peers</translation>
    </message>
    <message>
        <source>expected schedule=gpipe, 1f1b, interleaved:CHUNKS, zero_bubble, dualpipe or dualpipev</source>
        <translation>erwartet: schedule=gpipe, 1f1b, interleaved:CHUNKS, zero_bubble, dualpipe oder dualpipev</translation>
    </message>
    <message>
        <source>expected a number of microbatches</source>
        <translation>erwartet: eine Anzahl von Mikrobatches</translation>
    </message>
    <message>
        <source>not a regular expression: %1</source>
        <translation>kein regulärer Ausdruck: %1</translation>
    </message>
    <message>
        <source>unknown; expected straggler, comm, comm.GROUP, overlap, host, kernel:REGEX, rank.N, stage.N, stages, operation.TYPE, link.GROUP, schedule or microbatches</source>
        <translation>unbekannt; erwartet: straggler, comm, comm.GROUP, overlap, host, kernel:REGEX, rank.N, stage.N, stages, operation.TYPE, link.GROUP, schedule oder microbatches</translation>
    </message>
    <message>
        <source>expected 0 (takes no time) or a speed like 2x</source>
        <translation>erwartet: 0 (braucht keine Zeit) oder eine Geschwindigkeit wie 2x</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not %2</source>
        <translation>&quot;%1&quot; ist nicht %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole number</source>
        <translation>&quot;%1&quot; ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>&quot;%1&quot; ends before it starts</source>
        <translation>&quot;%1&quot; endet, bevor es beginnt</translation>
    </message>
    <message>
        <source>unknown %1 &quot;%2&quot; (known: %3)</source>
        <translation>unbekannter Wert für %1: &quot;%2&quot; (bekannt: %3)</translation>
    </message>
    <message>
        <source>the regular expression has no closing /</source>
        <translation>dem regulären Ausdruck fehlt das schließende /</translation>
    </message>
    <message>
        <source>the regular expression is empty</source>
        <translation>der reguläre Ausdruck ist leer</translation>
    </message>
    <message>
        <source>the regular expression does not hold together: %1</source>
        <translation>der reguläre Ausdruck ist nicht gültig: %1</translation>
    </message>
    <message>
        <source>the quotation has no closing %1</source>
        <translation>dem Text in Anführungszeichen fehlt das schließende %1</translation>
    </message>
    <message>
        <source>nothing to search for</source>
        <translation>nichts zu suchen</translation>
    </message>
    <message>
        <source>%1 takes a colon, as in %1:...</source>
        <translation>%1 braucht einen Doppelpunkt, wie in %1:...</translation>
    </message>
    <message>
        <source>dur takes a comparison and a time, as in dur&gt;1ms</source>
        <translation>dur braucht einen Vergleich und eine Zeit, wie in dur&gt;1ms</translation>
    </message>
    <message>
        <source>a time with its unit, as 1ms or 20us</source>
        <translation>eine Zeit mit Einheit, wie 1ms oder 20us</translation>
    </message>
    <message>
        <source>an argument takes a value, as in arg:group=mesh_dp or arg:bytes&gt;1MB</source>
        <translation>ein Argument braucht einen Wert, wie in arg:group=mesh_dp oder arg:bytes&gt;1MB</translation>
    </message>
    <message>
        <source>%1 is text: compare it with =</source>
        <translation>%1 ist Text: mit = vergleichen</translation>
    </message>
    <message>
        <source>a size, as 4096 or 1MB</source>
        <translation>eine Größe, wie 4096 oder 1MB</translation>
    </message>
    <message>
        <source>character %1: %2</source>
        <translation>Zeichen %1: %2</translation>
    </message>
    <message>
        <source>kernel class pattern &quot;%1&quot;: %2</source>
        <translation>Muster einer Kernelklasse &quot;%1&quot;: %2</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>it is a socket</source>
        <translation>es ist ein Socket</translation>
    </message>
    <message>
        <source>it is a disk</source>
        <translation>es ist ein Datenträger</translation>
    </message>
    <message>
        <source>no program reads from it</source>
        <translation>kein Programm liest davon</translation>
    </message>
    <message>
        <source>--gate %1: %2 has no number &quot;%3&quot;; it has value%4%5%6</source>
        <translation>--gate %1: %2 hat keine Zahl &quot;%3&quot;; vorhanden: value%4%5%6</translation>
    </message>
    <message>
        <source>unknown metric &quot;%1&quot;; see rankscope --list-metrics</source>
        <translation>unbekannte Metrik &quot;%1&quot;; siehe rankscope --list-metrics</translation>
    </message>
    <message>
        <source>unknown metric &quot;%1&quot;; nearest: %2</source>
        <translation>unbekannte Metrik &quot;%1&quot;; am nächsten: %2</translation>
    </message>
    <message>
        <source>--gate %1: not of the form METRIC&lt;=NUMBER, METRIC&lt;+PERCENT% or METRIC&lt;p95(history)+PERCENT% (relations: &lt; &lt;= &gt; &gt;=)</source>
        <translation>--gate %1: nicht von der Form METRIC&lt;=NUMBER, METRIC&lt;+PERCENT% oder METRIC&lt;p95(history)+PERCENT% (Vergleiche: &lt; &lt;= &gt; &gt;=)</translation>
    </message>
    <message>
        <source>--gate %1: %2</source>
        <translation>--gate %1: %2</translation>
    </message>
    <message>
        <source>--by %1: several settings end so: %2</source>
        <translation>--by %1: mehrere Einstellungen enden so: %2</translation>
    </message>
    <message>
        <source>--by %1: no run has that setting; there are date, world_size, name%2%3%4</source>
        <translation>--by %1: kein Lauf hat diese Einstellung; vorhanden: date, world_size, name%2%3%4</translation>
    </message>
    <message>
        <source>simulator: the ranks wait for each other forever</source>
        <translation>Simulator: die Ränge warten ewig aufeinander</translation>
    </message>
    <message>
        <source>cannot create %1: %2</source>
        <translation>%1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>compressed data are damaged</source>
        <translation>komprimierte Daten sind beschädigt</translation>
    </message>
    <message>
        <source>compressed data end early</source>
        <translation>komprimierte Daten enden zu früh</translation>
    </message>
    <message>
        <source>compressed with a window of more than 128 MB (zstd --long); decompress it first</source>
        <translation>mit einem Fenster von mehr als 128 MB komprimiert (zstd --long); zuerst entpacken</translation>
    </message>
    <message>
        <source>it is compressed twice; decompress it once</source>
        <translation>doppelt komprimiert; einmal entpacken</translation>
    </message>
    <message>
        <source>it is UTF-16; convert it to UTF-8</source>
        <translation>es ist UTF-16; in UTF-8 umwandeln</translation>
    </message>
    <message>
        <source>cannot open %1: %2</source>
        <translation>%1 kann nicht geöffnet werden: %2</translation>
    </message>
    <message>
        <source>%1 is not a regular file</source>
        <translation>%1 ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 kann nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 kann nicht gestartet werden: %2</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>reading failed: %1</source>
        <translation>Lesen fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>not enough memory to read %1</source>
        <translation>nicht genug Speicher, um %1 zu lesen</translation>
    </message>
    <message>
        <source>cannot map %1: %2</source>
        <translation>%1 kann nicht in den Speicher abgebildet werden: %2</translation>
    </message>
    <message>
        <source>%1 is damaged: %2</source>
        <translation>%1 ist beschädigt: %2</translation>
    </message>
    <message>
        <source>it is too short</source>
        <translation>zu kurz</translation>
    </message>
    <message>
        <source>%1 was not written by Rankscope</source>
        <translation>%1 wurde nicht von Rankscope geschrieben</translation>
    </message>
    <message>
        <source>%1 is of version %2 of its format, this Rankscope reads version %3</source>
        <translation>%1 hat Version %2 des Formats, dieses Rankscope liest Version %3</translation>
    </message>
    <message>
        <source>its header has changed</source>
        <translation>der Kopf hat sich geändert</translation>
    </message>
    <message>
        <source>%1 serves another purpose</source>
        <translation>%1 dient einem anderen Zweck</translation>
    </message>
    <message>
        <source>its table is too long</source>
        <translation>die Tabelle ist zu lang</translation>
    </message>
    <message>
        <source>it has %1 bytes, not %2</source>
        <translation>%1 Bytes statt %2</translation>
    </message>
    <message>
        <source>its first section does not fit</source>
        <translation>der erste Abschnitt passt nicht</translation>
    </message>
    <message>
        <source>a checksum is wrong</source>
        <translation>eine Prüfsumme ist falsch</translation>
    </message>
    <message>
        <source>its table has changed</source>
        <translation>die Tabelle hat sich geändert</translation>
    </message>
    <message>
        <source>a section does not fit</source>
        <translation>ein Abschnitt passt nicht</translation>
    </message>
    <message>
        <source>it claims to hold far more than its size allows</source>
        <translation>angeblich ist weit mehr darin, als die Größe zulässt</translation>
    </message>
    <message>
        <source>section %1 is not what was expected</source>
        <translation>Abschnitt %1 ist anders als erwartet</translation>
    </message>
    <message>
        <source>section %1 is missing</source>
        <translation>Abschnitt %1 fehlt</translation>
    </message>
    <message>
        <source>a section cannot be decompressed</source>
        <translation>ein Abschnitt lässt sich nicht entpacken</translation>
    </message>
    <message>
        <source>a column ends early</source>
        <translation>eine Spalte endet zu früh</translation>
    </message>
    <message>
        <source>a column is longer than it says</source>
        <translation>eine Spalte ist länger als angegeben</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2</source>
        <translation>%1 kann nicht geöffnet werden: %2</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>nicht genug Speicher</translation>
    </message>
    <message>
        <source>%1 is damaged or no SQLite file: %2</source>
        <translation>%1 ist beschädigt oder keine SQLite-Datei: %2</translation>
    </message>
    <message>
        <source>%1 is damaged: its list of tables has more entries than a file of its size can hold</source>
        <translation>%1 ist beschädigt: die Liste der Tabellen hat mehr Einträge, als eine Datei dieser Größe enthalten kann</translation>
    </message>
    <message>
        <source>more rows or text than the file can hold</source>
        <translation>mehr Zeilen oder Text, als die Datei enthalten kann</translation>
    </message>
    <message>
        <source>%1 unpacks to more than %2 times its size, as no profile does</source>
        <translation>%1 wird ausgepackt mehr als %2-mal so groß, wie es kein Profil wird</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>its head cannot be read</source>
        <translation>der Kopf ist nicht lesbar</translation>
    </message>
    <message>
        <source>its counts cannot be</source>
        <translation>die Anzahlen sind nicht möglich</translation>
    </message>
    <message>
        <source>its times cannot be</source>
        <translation>die Zeiten sind nicht möglich</translation>
    </message>
    <message>
        <source>its names are cut off</source>
        <translation>die Namen sind abgeschnitten</translation>
    </message>
    <message>
        <source>its names do not fit</source>
        <translation>die Namen passen nicht</translation>
    </message>
    <message>
        <source>a name is not in its list</source>
        <translation>ein Name ist nicht in der Liste</translation>
    </message>
    <message>
        <source>a number is out of range</source>
        <translation>eine Zahl ist außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>its structure cannot be read</source>
        <translation>der Aufbau ist nicht lesbar</translation>
    </message>
    <message>
        <source>its lanes do not follow each other</source>
        <translation>die Spuren folgen nicht aufeinander</translation>
    </message>
    <message>
        <source>its lanes are not in order</source>
        <translation>die Spuren sind nicht geordnet</translation>
    </message>
    <message>
        <source>its lanes do not hold its events</source>
        <translation>die Spuren enthalten die Ereignisse nicht</translation>
    </message>
    <message>
        <source>its rows do not follow each other</source>
        <translation>die Zeilen folgen nicht aufeinander</translation>
    </message>
    <message>
        <source>its rows do not hold its events</source>
        <translation>die Zeilen enthalten die Ereignisse nicht</translation>
    </message>
    <message>
        <source>its operators are missing</source>
        <translation>die Operatoren fehlen</translation>
    </message>
    <message>
        <source>a kernel&apos;s shape is not in its list</source>
        <translation>die Form eines Kernels ist nicht in der Liste</translation>
    </message>
    <message>
        <source>its launches do not fit</source>
        <translation>die Launches passen nicht</translation>
    </message>
    <message>
        <source>an operator is not there</source>
        <translation>ein Operator fehlt</translation>
    </message>
    <message>
        <source>a process group is not there</source>
        <translation>eine Prozessgruppe fehlt</translation>
    </message>
    <message>
        <source>a message cannot be that large</source>
        <translation>so groß kann eine Nachricht nicht sein</translation>
    </message>
    <message>
        <source>an event cannot be</source>
        <translation>ein Ereignis ist nicht möglich</translation>
    </message>
    <message>
        <source>a link leads nowhere</source>
        <translation>ein Verweis führt ins Leere</translation>
    </message>
    <message>
        <source>a link leads to what cannot be linked</source>
        <translation>ein Verweis führt zu etwas, das kein Ziel sein kann</translation>
    </message>
    <message>
        <source>events of a row overlap</source>
        <translation>Ereignisse einer Zeile überlappen sich</translation>
    </message>
    <message>
        <source>its steps are not in order</source>
        <translation>die Schritte sind nicht geordnet</translation>
    </message>
    <message>
        <source>a table is not in order</source>
        <translation>eine Tabelle ist nicht geordnet</translation>
    </message>
    <message>
        <source>an event of a table is not there</source>
        <translation>ein Ereignis einer Tabelle fehlt</translation>
    </message>
    <message>
        <source>a time cannot be</source>
        <translation>eine Zeit ist nicht möglich</translation>
    </message>
    <message>
        <source>an amount of memory cannot be</source>
        <translation>eine Speichermenge ist nicht möglich</translation>
    </message>
    <message>
        <source>an operator&apos;s inputs are not there</source>
        <translation>die Eingaben eines Operators fehlen</translation>
    </message>
    <message>
        <source>a sum cannot be</source>
        <translation>eine Summe ist nicht möglich</translation>
    </message>
    <message>
        <source>a transfer cannot be</source>
        <translation>eine Übertragung ist nicht möglich</translation>
    </message>
    <message>
        <source>an arrow leads nowhere</source>
        <translation>ein Pfeil führt ins Leere</translation>
    </message>
    <message>
        <source>its samples are not in order</source>
        <translation>die Messwerte sind nicht geordnet</translation>
    </message>
    <message>
        <source>its marks are not in order</source>
        <translation>die Marken sind nicht geordnet</translation>
    </message>
    <message>
        <source>its notices cannot be read</source>
        <translation>die Hinweise sind nicht lesbar</translation>
    </message>
    <message>
        <source>its accounting cannot be</source>
        <translation>die Abrechnung der Ereignisse ist nicht möglich</translation>
    </message>
    <message>
        <source>its accounting does not add up</source>
        <translation>die Abrechnung der Ereignisse geht nicht auf</translation>
    </message>
    <message>
        <source>what it knows of the trace cannot be read</source>
        <translation>was vom Trace bekannt ist, ist nicht lesbar</translation>
    </message>
    <message>
        <source>its requests cannot be</source>
        <translation>die Anfragen sind nicht möglich</translation>
    </message>
    <message>
        <source>it does not say what it is a digest of</source>
        <translation>nicht angegeben, wovon es ein Digest ist</translation>
    </message>
    <message>
        <source>%1 bytes of its text</source>
        <translation>%1 Bytes Text</translation>
    </message>
    <message>
        <source>%1 is no execution trace, or it is cut off: no list of nodes can be read</source>
        <translation>%1 ist kein Execution Trace oder abgeschnitten: keine Liste von Knoten lesbar</translation>
    </message>
    <message>
        <source>more than %1 values</source>
        <translation>mehr als %1 Werte</translation>
    </message>
    <message>
        <source>deeper than %1 levels</source>
        <translation>tiefer als %1 Ebenen</translation>
    </message>
    <message>
        <source>larger than %1</source>
        <translation>größer als %1</translation>
    </message>
    <message>
        <source>an alias inside of what it stands for</source>
        <translation>ein Alias in dem, wofür er steht</translation>
    </message>
    <message>
        <source>more than %1 with its aliases written out</source>
        <translation>mehr als %1, wenn die Aliasse ausgeschrieben sind</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>nicht lesbar: %1</translation>
    </message>
    <message>
        <source>not read: it is no regular file</source>
        <translation>nicht gelesen: keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>larger than %1: not read</source>
        <translation>größer als %1: nicht gelesen</translation>
    </message>
    <message>
        <source>%1 is no trace: %2</source>
        <translation>%1 ist kein Trace: %2</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>die Datei ist leer</translation>
    </message>
    <message>
        <source>it is of no known format</source>
        <translation>kein bekanntes Format</translation>
    </message>
    <message>
        <source>it has no traceEvents</source>
        <translation>traceEvents fehlt</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>kein JSON</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>trace of the PyTorch profiler</source>
        <translation>Trace des PyTorch-Profilers</translation>
    </message>
    <message>
        <source>report of Nsight Systems</source>
        <translation>Report von Nsight Systems</translation>
    </message>
    <message>
        <source>text of nsys stats</source>
        <translation>Text von nsys stats</translation>
    </message>
    <message>
        <source>dump of the Flight Recorder</source>
        <translation>Dump des Flight Recorders</translation>
    </message>
    <message>
        <source>profile of XLA</source>
        <translation>Profil von XLA</translation>
    </message>
    <message>
        <source>database of the ROCm profiler</source>
        <translation>Datenbank des ROCm-Profilers</translation>
    </message>
    <message>
        <source>log of the NCCL Inspector</source>
        <translation>Log des NCCL-Inspectors</translation>
    </message>
    <message>
        <source>operation timeline</source>
        <translation>Operations-Zeitleiste</translation>
    </message>
    <message>
        <source>execution trace</source>
        <translation>Execution Trace</translation>
    </message>
    <message>
        <source>%1 holds %2 runs (%3); open one of them</source>
        <translation>%1 enthält %2 Läufe (%3); einen davon öffnen</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 gibt es nicht</translation>
    </message>
    <message>
        <source>%1 is neither a folder nor a regular file</source>
        <translation>%1 ist weder ein Ordner noch eine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>%1 holds no %2; --profile-mode %3 opens what is there</source>
        <translation>in %1 fehlt diese Art: %2; --profile-mode %3 öffnet, was da ist</translation>
    </message>
    <message>
        <source>no trace in %1 could be read: %2</source>
        <translation>kein Trace in %1 ist lesbar: %2</translation>
    </message>
    <message>
        <source>no file with the name of one</source>
        <translation>keine Datei heißt wie einer</translation>
    </message>
    <message numerus="yes">
        <source>%1 files looked at, none is one</source>
        <translation>
            <numerusform>%1 Datei angesehen, die keine ist</numerusform>
            <numerusform>%1 Dateien angesehen, keine ist eine</numerusform>
        </translation>
    </message>
    <message>
        <source>it is no dump of the Flight Recorder: neither entries nor pg_config</source>
        <translation>kein Dump des Flight Recorders: weder entries noch pg_config</translation>
    </message>
    <message>
        <source>its values refer to each other too often</source>
        <translation>die Werte verweisen zu oft aufeinander</translation>
    </message>
    <message>
        <source>%1 cannot be read as a dump of the Flight Recorder: %2</source>
        <translation>%1 ist nicht als Dump des Flight Recorders lesbar: %2</translation>
    </message>
    <message>
        <source>%1, which imports</source>
        <translation>%1, das importiert</translation>
    </message>
    <message>
        <source>%1, which calls</source>
        <translation>%1, das aufruft</translation>
    </message>
    <message>
        <source>%1, which sets up an object</source>
        <translation>%1, das ein Objekt einrichtet</translation>
    </message>
    <message>
        <source>%1, which makes an object</source>
        <translation>%1, das ein Objekt erzeugt</translation>
    </message>
    <message>
        <source>%1, which asks for something outside</source>
        <translation>%1, das etwas von außerhalb verlangt</translation>
    </message>
    <message>
        <source>larger than %1 bytes</source>
        <translation>größer als %1 Bytes</translation>
    </message>
    <message>
        <source>%1 (byte %2)</source>
        <translation>%1 (Byte %2)</translation>
    </message>
    <message>
        <source>it ends early</source>
        <translation>endet zu früh</translation>
    </message>
    <message>
        <source>too many values</source>
        <translation>zu viele Werte</translation>
    </message>
    <message>
        <source>it takes a value that is not there</source>
        <translation>ein Wert wird genommen, der nicht da ist</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>it looks for a mark that is not there</source>
        <translation>eine Marke wird gesucht, die nicht da ist</translation>
    </message>
    <message>
        <source>a key without a value</source>
        <translation>ein Schlüssel ohne Wert</translation>
    </message>
    <message>
        <source>it fills a dict that is none</source>
        <translation>ein dict wird gefüllt, das keines ist</translation>
    </message>
    <message>
        <source>it fills a list that is none</source>
        <translation>eine Liste wird gefüllt, die keine ist</translation>
    </message>
    <message>
        <source>it recalls what was never stored</source>
        <translation>abgerufen wird, was nie gespeichert wurde</translation>
    </message>
    <message>
        <source>it stores a value that is not there</source>
        <translation>ein Wert wird gespeichert, der nicht da ist</translation>
    </message>
    <message>
        <source>it stores under a number that is out of order</source>
        <translation>gespeichert wird unter einer Nummer außer der Reihe</translation>
    </message>
    <message>
        <source>a whole number beyond 64 bits</source>
        <translation>eine ganze Zahl mit mehr als 64 Bit</translation>
    </message>
    <message>
        <source>a pickle of protocol %1; 2 to 5 are read</source>
        <translation>ein Pickle mit Protokoll %1; gelesen werden 2 bis 5</translation>
    </message>
    <message>
        <source>opcode 0x%1 is not one of plain data</source>
        <translation>Opcode 0x%1 gehört nicht zu einfachen Daten</translation>
    </message>
    <message>
        <source>%1: refused, nothing of it is executed</source>
        <translation>%1: abgelehnt, nichts davon wird ausgeführt</translation>
    </message>
    <message>
        <source>it does not start as a pickle of protocol 2 to 5</source>
        <translation>beginnt nicht wie ein Pickle mit Protokoll 2 bis 5</translation>
    </message>
    <message>
        <source>not JSON at byte %1</source>
        <translation>kein JSON ab Byte %1</translation>
    </message>
    <message>
        <source>nested deeper than %1</source>
        <translation>tiefer verschachtelt als %1</translation>
    </message>
    <message>
        <source>not JSON</source>
        <translation>kein JSON</translation>
    </message>
    <message>
        <source>reading %1 takes more than the memory budget of %2 (--memory); %3 were read until then</source>
        <translation>%1 zu lesen braucht mehr als das Speicherbudget von %2 (--memory); gelesen bis dahin: %3</translation>
    </message>
    <message>
        <source>%1 holds no calls: nothing to show</source>
        <translation>%1 enthält keine Aufrufe: nichts zu zeigen</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>the file ends early</source>
        <translation>die Datei endet zu früh</translation>
    </message>
    <message>
        <source>an event is larger than %1 MB</source>
        <translation>ein Ereignis ist größer als %1 MB</translation>
    </message>
    <message>
        <source>%1 was written by --export-trace for trace viewers; open the run that it was made from</source>
        <translation>%1 hat --export-trace für Trace-Betrachter geschrieben; den Lauf öffnen, aus dem die Datei entstand</translation>
    </message>
    <message>
        <source>%1 is not a Kineto trace: %2</source>
        <translation>%1 ist kein Kineto-Trace: %2</translation>
    </message>
    <message>
        <source>reading %1 takes more than the memory budget of %2 (--memory)</source>
        <translation>%1 zu lesen braucht mehr als das Speicherbudget von %2 (--memory)</translation>
    </message>
    <message>
        <source>%1 holds no events: %2</source>
        <translation>%1 enthält keine Ereignisse: %2</translation>
    </message>
    <message>
        <source>nothing to analyse</source>
        <translation>nichts auszuwerten</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>nicht gelesen</translation>
    </message>
    <message>
        <source>reading %1 failed: %2</source>
        <translation>Lesen von %1 fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>the full trace %1 is not there</source>
        <translation>der volle Trace %1 ist nicht da</translation>
    </message>
    <message>
        <source>the full trace %1 has changed since its digest was made</source>
        <translation>der volle Trace %1 hat sich geändert, seit sein Digest entstand</translation>
    </message>
    <message>
        <source>the full trace %1 does not hold rank %2</source>
        <translation>der volle Trace %1 enthält Rang %2 nicht</translation>
    </message>
    <message>
        <source>%1 changed or cannot be read any more</source>
        <translation>%1 hat sich geändert oder ist nicht mehr lesbar</translation>
    </message>
    <message>
        <source>%1 is not there any more as it was when its digest was made</source>
        <translation>%1 ist nicht mehr so da wie beim Erzeugen des Digests</translation>
    </message>
    <message>
        <source>this event cannot be found again in its file</source>
        <translation>dieses Ereignis ist in seiner Datei nicht wiederzufinden</translation>
    </message>
    <message>
        <source>the ranks of the operation timeline are more than any job has</source>
        <translation>die Operations-Zeitleiste hat mehr Ränge als jeder Job</translation>
    </message>
    <message>
        <source>there is no folder for temporary files</source>
        <translation>es gibt keinen Ordner für temporäre Dateien</translation>
    </message>
    <message>
        <source>%1 cannot be opened</source>
        <translation>%1 kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>%1 holds no kernels, copies, calls or NVTX ranges: export the report again, or record it with --trace=cuda,nvtx</source>
        <translation>%1 enthält keine Kernel, Kopien, Aufrufe oder NVTX-Bereiche: den Report neu exportieren oder mit --trace=cuda,nvtx aufzeichnen</translation>
    </message>
    <message>
        <source>%1 holds no events of a process: nothing to show</source>
        <translation>%1 enthält keine Ereignisse eines Prozesses: nichts zu zeigen</translation>
    </message>
    <message>
        <source>%1 cannot be exported: the cache folder %2 cannot be created: %3</source>
        <translation>%1 kann nicht exportiert werden: der Cache-Ordner %2 kann nicht angelegt werden: %3</translation>
    </message>
    <message>
        <source>%1 cannot export %2 (exit code %3): %4</source>
        <translation>%1 kann %2 nicht exportieren (Exit-Code %3): %4</translation>
    </message>
    <message>
        <source>the export of %1 cannot be kept: %2</source>
        <translation>der Export von %1 kann nicht aufbewahrt werden: %2</translation>
    </message>
    <message>
        <source>%1 needs nsys, which is not installed here: run `nsys export --type sqlite --force-overwrite true --output %2 %3` where it is, and open the folder again</source>
        <translation>%1 braucht nsys, das hier nicht installiert ist: `nsys export --type sqlite --force-overwrite true --output %2 %3` ausführen, wo es das gibt, und den Ordner wieder öffnen</translation>
    </message>
    <message>
        <source>the column Name is missing</source>
        <translation>die Spalte Name fehlt</translation>
    </message>
    <message>
        <source>Start and Duration have no known unit</source>
        <translation>Start und Duration haben keine bekannte Einheit</translation>
    </message>
    <message>
        <source>%1: %2; print it again with nsys stats --report cuda_gpu_trace</source>
        <translation>%1: %2; mit nsys stats --report cuda_gpu_trace neu ausgeben</translation>
    </message>
    <message>
        <source>%1 has operations of more than %2 ranks</source>
        <translation>%1 hat Operationen von mehr als %2 Rängen</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 Operationen</translation>
    </message>
    <message>
        <source>%1 is no operation timeline: it has no events</source>
        <translation>%1 ist keine Operations-Zeitleiste: keine Ereignisse</translation>
    </message>
    <message>
        <source>%1 holds no operation that can be read</source>
        <translation>%1 enthält keine lesbare Operation</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 holds no kernels, copies, calls or markers of a process: nothing to show</source>
        <translation>%1 enthält keine Kernel, Kopien, Aufrufe oder Marker eines Prozesses: nichts zu zeigen</translation>
    </message>
    <message>
        <source>%1 is no database of the ROCm profiler</source>
        <translation>%1 ist keine Datenbank des ROCm-Profilers</translation>
    </message>
    <message>
        <source>SQLite cannot be opened: not enough memory</source>
        <translation>SQLite kann nicht geöffnet werden: nicht genug Speicher</translation>
    </message>
    <message>
        <source>the table %1 cannot be made: %2</source>
        <translation>die Tabelle %1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>the query needs more than 2 GB of memory; select fewer rows, or group them</source>
        <translation>die Abfrage braucht mehr als 2 GB Speicher; weniger Zeilen wählen oder sie gruppieren</translation>
    </message>
    <message>
        <source>a query may only read: %1</source>
        <translation>eine Abfrage darf nur lesen: %1</translation>
    </message>
    <message>
        <source>; --list-tables lists tables and columns</source>
        <translation>; --list-tables nennt Tabellen und Spalten</translation>
    </message>
    <message>
        <source>a query may only read</source>
        <translation>eine Abfrage darf nur lesen</translation>
    </message>
    <message>
        <source>no query in it</source>
        <translation>keine Abfrage darin</translation>
    </message>
    <message>
        <source>functions for queries cannot be made: %1</source>
        <translation>Funktionen für Abfragen können nicht angelegt werden: %1</translation>
    </message>
    <message>
        <source>%1 is a digest already</source>
        <translation>%1 ist bereits ein Digest</translation>
    </message>
    <message>
        <source>%1 is a dump of the Flight Recorder, and small as it is</source>
        <translation>%1 ist ein Dump des Flight Recorders und ohnehin klein</translation>
    </message>
    <message>
        <source>%1 is an operation timeline, and small as it is</source>
        <translation>%1 ist eine Operations-Zeitleiste und ohnehin klein</translation>
    </message>
    <message>
        <source>%1 holds no events</source>
        <translation>%1 enthält keine Ereignisse</translation>
    </message>
    <message>
        <source>the program cannot be packed: there is no %1 on PATH</source>
        <translation>das Programm kann nicht gepackt werden: kein %1 im PATH</translation>
    </message>
    <message>
        <source>the program cannot be packed: %1: %2</source>
        <translation>das Programm kann nicht gepackt werden: %1: %2</translation>
    </message>
    <message>
        <source>the program cannot be packed: there is no folder for temporary files</source>
        <translation>das Programm kann nicht gepackt werden: es gibt keinen Ordner für temporäre Dateien</translation>
    </message>
    <message>
        <source>the program cannot be packed: %1</source>
        <translation>das Programm kann nicht gepackt werden: %1</translation>
    </message>
    <message>
        <source>the program cannot be packed: sha256sum gives no checksum</source>
        <translation>das Programm kann nicht gepackt werden: sha256sum liefert keine Prüfsumme</translation>
    </message>
    <message>
        <source>%1: %2; expected ssh://[user@]host[:port]/path</source>
        <translation>%1: %2; erwartet: ssh://[user@]host[:port]/path</translation>
    </message>
    <message>
        <source>it does not start with ssh://</source>
        <translation>beginnt nicht mit ssh://</translation>
    </message>
    <message>
        <source>a path is missing</source>
        <translation>ein Pfad fehlt</translation>
    </message>
    <message>
        <source>% starts an escape such as %1 (% itself is %2)</source>
        <translation>% leitet eine Maskierung wie %1 ein (% selbst ist %2)</translation>
    </message>
    <message>
        <source>there is no such path</source>
        <translation>einen solchen Pfad gibt es nicht</translation>
    </message>
    <message>
        <source>an address holds no password: ssh asks its agent, or for a key</source>
        <translation>eine Adresse enthält kein Passwort: ssh fragt seinen Agenten oder nach einem Schlüssel</translation>
    </message>
    <message>
        <source>no user is called so</source>
        <translation>so heißt kein Benutzer</translation>
    </message>
    <message>
        <source>this is no address between brackets</source>
        <translation>das ist keine Adresse in Klammern</translation>
    </message>
    <message>
        <source>no host is called so</source>
        <translation>so heißt kein Host</translation>
    </message>
    <message>
        <source>a port is a number from 1 to 65535</source>
        <translation>ein Port ist eine Zahl von 1 bis 65535</translation>
    </message>
    <message>
        <source>%1; what arrived is kept: open it again to go on</source>
        <translation>%1; was ankam, bleibt erhalten: zum Fortsetzen erneut öffnen</translation>
    </message>
    <message>
        <source>the connection was lost (%1); connecting again, try %2 of %3</source>
        <translation>die Verbindung ging verloren (%1); neue Verbindung, Versuch %2 von %3</translation>
    </message>
    <message>
        <source>%1 changed while it was fetched</source>
        <translation>%1 hat sich während der Übertragung geändert</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 files are here)</source>
        <translation>%1 (%2 von %3 Dateien sind hier)</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 kann nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1 needs the program ssh, which is not on PATH</source>
        <translation>%1 braucht das Programm ssh, das nicht im PATH ist</translation>
    </message>
    <message>
        <source>%1: its host key is not the one known here: another machine, or one between; see what &quot;ssh %1&quot; says</source>
        <translation>%1: der Host-Schlüssel ist nicht der hier bekannte: eine andere Maschine oder eine dazwischen; nachsehen, was &quot;ssh %1&quot; sagt</translation>
    </message>
    <message>
        <source>%1: its host key is not known here: log in once with ssh, and compare the key</source>
        <translation>%1: der Host-Schlüssel ist hier nicht bekannt: einmal mit ssh anmelden und den Schlüssel vergleichen</translation>
    </message>
    <message>
        <source>%1: %2; ssh must get in without a password: with a key in its agent, for example</source>
        <translation>%1: %2; ssh muss ohne Passwort hineinkommen: zum Beispiel mit einem Schlüssel in seinem Agenten</translation>
    </message>
    <message>
        <source>%1: the rankscope there is too old to be asked: install version %2 there, or allow it to be copied with --install-remote</source>
        <translation>%1: das rankscope dort ist zu alt für Anfragen: dort Version %2 installieren oder mit --install-remote das Kopieren erlauben</translation>
    </message>
    <message>
        <source>%1: the connection ended (ssh: exit code %2)</source>
        <translation>%1: die Verbindung endete (ssh: Exit-Code %2)</translation>
    </message>
    <message>
        <source>%1: %2 could not be copied there: %3</source>
        <translation>%1: %2 konnte nicht dorthin kopiert werden: %3</translation>
    </message>
    <message>
        <source>the copy is not what was sent</source>
        <translation>die Kopie ist nicht das, was gesendet wurde</translation>
    </message>
    <message>
        <source>%1: what the rankscope there answers makes no sense</source>
        <translation>%1: was das rankscope dort antwortet, ergibt keinen Sinn</translation>
    </message>
    <message>
        <source>%1: no answer any more</source>
        <translation>%1: keine Antwort mehr</translation>
    </message>
    <message>
        <source>it cannot say what is wrong</source>
        <translation>was nicht stimmt, lässt sich nicht sagen</translation>
    </message>
    <message>
        <source>%1: %2: install version %3 there, or allow it to be copied with --install-remote</source>
        <translation>%1: %2: dort Version %3 installieren oder mit --install-remote das Kopieren erlauben</translation>
    </message>
    <message>
        <source>there is no rankscope-batch or rankscope on PATH</source>
        <translation>kein rankscope-batch oder rankscope im PATH</translation>
    </message>
    <message>
        <source>%1: there is no rankscope-batch or rankscope on PATH: install it there</source>
        <translation>%1: kein rankscope-batch oder rankscope im PATH: dort installieren</translation>
    </message>
    <message>
        <source>the rankscope there, version %1, and this one do not understand each other</source>
        <translation>das rankscope dort, Version %1, und dieses verstehen einander nicht</translation>
    </message>
    <message>
        <source>%1 has no rankscope %2. Copy %3 (%4 MB) into ~/.cache/rankscope/bin there?</source>
        <translation>%1 hat kein rankscope %2. %3 (%4 MB) dort nach ~/.cache/rankscope/bin kopieren?</translation>
    </message>
    <message>
        <source>%1: rankscope %2 was copied there, its checksum is right</source>
        <translation>%1: rankscope %2 wurde dorthin kopiert, die Prüfsumme stimmt</translation>
    </message>
    <message>
        <source>nothing to write: no event lies in the chosen ranks, lanes and times</source>
        <translation>nichts zu schreiben: kein Ereignis liegt in den gewählten Rängen, Spuren und Zeiten</translation>
    </message>
    <message>
        <source>%1 (in: %2)</source>
        <translation>%1 (in: %2)</translation>
    </message>
    <message>
        <source>cannot create the output folder %1: %2</source>
        <translation>der Ausgabeordner %1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>%1: nothing inside --html-timeline: the run ends after %2 ms</source>
        <translation>%1: nichts innerhalb von --html-timeline: der Lauf endet nach %2 ms</translation>
    </message>
    <message>
        <source>--junit needs --gate EXPR, or dumps of the Flight Recorder</source>
        <translation>--junit braucht --gate EXPR oder Dumps des Flight Recorders</translation>
    </message>
    <message>
        <source>cannot write to stdout: %1</source>
        <translation>auf stdout kann nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>it has no profiler steps</source>
        <translation>er hat keine Profilerschritte</translation>
    </message>
    <message>
        <source>its profiler steps are %1 to %2</source>
        <translation>seine Profilerschritte sind %1 bis %2</translation>
    </message>
    <message>
        <source>%1 holds sums without times: %2 cannot be applied to it</source>
        <translation>%1 enthält Summen ohne Zeiten: %2 ist darauf nicht anwendbar</translation>
    </message>
    <message>
        <source>--iterations %1: not in the trace; %2</source>
        <translation>--iterations %1: nicht im Trace; %2</translation>
    </message>
    <message>
        <source>%1: none of --iterations is in the trace; %2</source>
        <translation>%1: nichts von --iterations ist im Trace; %2</translation>
    </message>
    <message>
        <source>cannot create the demo&apos;s folder %1: %2</source>
        <translation>der Ordner %1 der Demo kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>%1: no digest can be made of %2</source>
        <translation>%1: aus %2 lässt sich kein Digest machen</translation>
    </message>
    <message>
        <source>cannot create the folder %1: %2</source>
        <translation>der Ordner %1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>Write a time (12.5 ms), a step (step 3), a time stamp of the trace, or a name and a number (allreduce 17).</source>
        <translation>Eine Zeit (12.5 ms), einen Schritt (step 3), einen Zeitstempel des Trace oder einen Namen und eine Nummer (allreduce 17) angeben.</translation>
    </message>
    <message>
        <source>Rank %1 is not in this run.</source>
        <translation>Rang %1 ist nicht in diesem Lauf.</translation>
    </message>
    <message>
        <source>No event of rank %1 has &quot;%2&quot; in its name.</source>
        <translation>Kein Ereignis von Rang %1 hat &quot;%2&quot; im Namen.</translation>
    </message>
    <message>
        <source>Rank %1 has %2 calls of &quot;%3&quot; only.</source>
        <translation>Rang %1 hat nur %2 Aufrufe von &quot;%3&quot;.</translation>
    </message>
    <message>
        <source>This run has no step %1.</source>
        <translation>Dieser Lauf hat keinen Schritt %1.</translation>
    </message>
    <message>
        <source>That time is not in this run.</source>
        <translation>Diese Zeit liegt nicht in diesem Lauf.</translation>
    </message>
    <message>
        <source>the system refuses what the analysis needs: %1</source>
        <translation>das System verweigert, was die Auswertung braucht: %1</translation>
    </message>
    <message>
        <source>the stack that ulimit -s leaves is too small</source>
        <translation>der Stack, den ulimit -s lässt, ist zu klein</translation>
    </message>
    <message>
        <source>this program has no window: use rankscope, or --batch RUN</source>
        <translation>dieses Programm hat kein Fenster: rankscope oder --batch RUN verwenden</translation>
    </message>
    <message>
        <source>a window needs a stack of at least 1 MB: ulimit -s 8192</source>
        <translation>ein Fenster braucht einen Stack von mindestens 1 MB: ulimit -s 8192</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>es ist ein Ordner</translation>
    </message>
    <message>
        <source>it is not there, or may not be read</source>
        <translation>nicht da oder nicht lesbar</translation>
    </message>
    <message>
        <source>it is larger than 1 MB</source>
        <translation>größer als 1 MB</translation>
    </message>
    <message>
        <source>%1: no query in it</source>
        <translation>%1: keine Abfrage darin</translation>
    </message>
    <message>
        <source>it is damaged, or of another version of Rankscope</source>
        <translation>beschädigt oder von einer anderen Version von Rankscope</translation>
    </message>
    <message>
        <source>%1: cannot be made</source>
        <translation>%1: kann nicht angelegt werden</translation>
    </message>
    <message>
        <source>--history %1: no run in it can be read</source>
        <translation>--history %1: kein Lauf darin ist lesbar</translation>
    </message>
    <message>
        <source>no run of the study can be read</source>
        <translation>kein Lauf der Studie ist lesbar</translation>
    </message>
    <message>
        <source>The recording does not say which ranks a collective call joins, and the calls that stream and order tell do not end together: which rank the others wait for, and what its host costs them, cannot be told.</source>
        <translation>Die Aufzeichnung sagt nicht, welche Ränge ein kollektiver Aufruf verbindet, und die Aufrufe, die sich aus Stream und Reihenfolge ergeben, enden nicht zusammen: Auf welchen Rang die anderen warten, und was dessen Host sie kostet, ist nicht zu sagen.</translation>
    </message>
    <message>
        <source>Of %1 % of the time of communication it is not known which ranks it joins: which rank the others wait for, and what its host costs them, cannot be told.</source>
        <translation>Von %1 % der Zeit der Kommunikation ist nicht bekannt, welche Ränge sie verbindet: Auf welchen Rang die anderen warten, und was dessen Host sie kostet, ist nicht zu sagen.</translation>
    </message>
    <message>
        <source>Of %1 % of the time of communication it is not known which ranks it joins: whether a link is slow cannot be told.</source>
        <translation>Von %1 % der Zeit der Kommunikation ist nicht bekannt, welche Ränge sie verbindet: Ob ein Link langsam ist, ist nicht zu sagen.</translation>
    </message>
    <message>
        <source>; more from step to step</source>
        <translation>; von Schritt zu Schritt mehr</translation>
    </message>
    <message>
        <source>the network between machines</source>
        <translation>das Netz zwischen Maschinen</translation>
    </message>
    <message>
        <source>All calls like those of %1 take the same way between machines: whether that is slow for all of them cannot be told.</source>
        <translation>Alle Aufrufe wie die von %1 nehmen denselben Weg zwischen Maschinen: Ob er für alle langsam ist, ist nicht zu sagen.</translation>
    </message>
    <message>
        <source>it makes copies that its peers do not make: %1</source>
        <translation>er führt Kopien aus, die seinesgleichen nicht ausführen: %1</translation>
    </message>
    <message>
        <source>The ranks start their first step at different times, for a reason from before the recording: rank %1 starts %2 after its peers</source>
        <translation>Die Ränge beginnen ihren ersten Schritt zu verschiedenen Zeiten, aus einem Grund vor der Aufnahme: Rang %1 beginnt %2 nach seinesgleichen</translation>
    </message>
    <message>
        <source>, where its host also waits for the GPU</source>
        <translation>, wo sein Host auch auf die GPU wartet</translation>
    </message>
    <message>
        <source>, where its host also pauses</source>
        <translation>, wo sein Host auch pausiert</translation>
    </message>
    <message>
        <source>No other group makes the calls of %1, which cross machines: whether the network between them is slow cannot be told.</source>
        <translation>Keine andere Gruppe macht die Aufrufe von %1, die Maschinen verbinden: ob das Netz zwischen ihnen langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>Look at these kernels: a checkpoint, a log, a check, another branch of the program.</source>
        <translation>Diese Kernel ansehen: ein Speicherstand, ein Protokoll, eine Prüfung, ein anderer Zweig des Programms.</translation>
    </message>
    <message>
        <source>Ranks are compared with each other: what slows all GPUs alike, such as a limit of their power, does not show that way.</source>
        <translation>Ränge werden miteinander verglichen: Was alle GPUs gleich verlangsamt, etwa eine Begrenzung ihrer Leistungsaufnahme, zeigt sich so nicht.</translation>
    </message>
    <message>
        <source>The stages of the pipeline are uneven: stage %1 (%2) computes %3× as long for its microbatches as the mean stage, and the others wait for it</source>
        <translation>Die Stufen der Pipeline sind ungleich: Stufe %1 (%2) rechnet für ihre Mikrobatches %3× so lange wie die mittlere Stufe, und die anderen warten auf sie</translation>
    </message>
    <message>
        <source>each kernel of stage %1 for a microbatch takes %2x as long, so that the stage computes as long for them as the mean one</source>
        <translation>jeder Kernel von Stufe %1 für einen Mikrobatch dauert %2x so lange, so dass die Stufe für ihre Mikrobatches so lange rechnet wie die mittlere</translation>
    </message>
    <message>
        <source>the same computation for the microbatches is spread evenly over the stages</source>
        <translation>dieselbe Rechenarbeit für die Mikrobatches ist gleichmäßig auf die Stufen verteilt</translation>
    </message>
    <message>
        <source>most of that is computation which takes longer now on one rank, now on another</source>
        <translation>das meiste davon ist Rechenarbeit, die einmal auf dem einen, einmal auf einem anderen Rang länger dauert</translation>
    </message>
    <message>
        <source>most of that would be gone if launching took no time</source>
        <translation>das meiste davon entfiele, wenn Launches keine Zeit kosteten</translation>
    </message>
    <message>
        <source>pipeline bubbles</source>
        <translation>Pipeline-Bubbles</translation>
    </message>
    <message>
        <source>cause not recorded</source>
        <translation>Ursache nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>data loading</source>
        <translation>Laden der Daten</translation>
    </message>
    <message>
        <source>garbage collection</source>
        <translation>Garbage Collection</translation>
    </message>
    <message>
        <source>host collective</source>
        <translation>kollektiver Aufruf auf dem Host</translation>
    </message>
    <message>
        <source>profiler</source>
        <translation>Profiler</translation>
    </message>
    <message>
        <source>databases of rocmProfileData</source>
        <translation>Datenbanken von rocmProfileData</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>Wall time of the ProfilerStep#N annotations on the CPU (of NVTX ranges named step N or iteration N in reports of Nsight Systems; of a serving engine from the start of a step to that of the next), mean over ranks and steps. Without them, the time from one repetition of the collective or kernel sequence to the next (method: inferred). A host that runs ahead launches an iteration in less time than the GPU takes for it, which is step_time.</source>
        <translation>Vergangene Zeit der Annotationen ProfilerStep#N auf der CPU (in Berichten von Nsight Systems: der NVTX-Bereiche namens step N oder iteration N; bei einem Serving-Dienst: vom Anfang eines Schritts bis zum Anfang des nächsten), Mittel über Ränge und Schritte. Ohne sie die Zeit von einer Wiederholung der Folge von Kollektiven oder Kerneln zur nächsten (Verfahren: erschlossen). Ein Host, der vorauseilt, startet eine Iteration in kürzerer Zeit, als die GPU für sie braucht; diese ist step_time.</translation>
    </message>
    <message>
        <source>The first use of a library or a kernel takes the host long: its code is loaded then.</source>
        <translation>Die erste Verwendung einer Bibliothek oder eines Kernels kostet den Host viel Zeit: Ihr Code wird dann geladen.</translation>
    </message>
    <message>
        <source>Nothing: it happens once. Record after the warm-up, or leave the first step out with --iterations.</source>
        <translation>Nichts: Es geschieht einmal. Zeichnen Sie nach dem Warm-up auf, oder lassen Sie den ersten Schritt mit --iterations weg.</translation>
    </message>
    <message>
        <source>A rank starts its first step after its peers, for a reason from before the recording. Inherent where the starts of all ranks are spread, so that no rank stands apart, and where its recording starts with that step.</source>
        <translation>Ein Rang beginnt seinen ersten Schritt nach seinesgleichen, aus einem Grund vor der Aufnahme. Eigenart des Programms, wo alle Ränge zu verschiedenen Zeiten beginnen, so dass keiner heraussticht, und wo seine Aufnahme mit diesem Schritt beginnt.</translation>
    </message>
    <message>
        <source>Several files that were recorded at one time say that they are rank 0 of 1; names, devices or order tell which rank each is.</source>
        <translation>Mehrere Dateien, die zur selben Zeit aufgezeichnet wurden, nennen sich Rang 0 von 1; welcher Rang jede ist, sagen Namen, Geräte oder Reihenfolge.</translation>
    </message>
    <message>
        <source>The text of nsys stats cuts off the last digits of times; they are read as far as they are printed.</source>
        <translation>Der Text von nsys stats schneidet die letzten Ziffern von Zeiten ab; sie werden gelesen, so weit sie ausgegeben sind.</translation>
    </message>
    <message>
        <source>Print the report as CSV for all digits.</source>
        <translation>Geben Sie den Report als CSV aus, um alle Ziffern zu haben.</translation>
    </message>
    <message>
        <source>Check that the program was meant to use those alone.</source>
        <translation>Prüfen Sie, ob das Programm nur diese benutzen sollte.</translation>
    </message>
    <message>
        <source>Record both in one run to have them joined by number.</source>
        <translation>Zeichnen Sie beide in einem Lauf auf, damit sie über die Nummer verbunden werden.</translation>
    </message>
    <message>
        <source>GPU work starts before its launch: the recorder did not align the clocks of host and GPU. Where launches agree by how much, times of the GPU are moved forward.</source>
        <translation>GPU-Arbeit beginnt vor ihrem Start durch den Host: Die Aufzeichnung hat die Uhren von Host und GPU nicht angeglichen. Wo die Starts übereinstimmen, um wie viel, werden Zeiten der GPU nach hinten verschoben.</translation>
    </message>
    <message>
        <source>Distrust delays from launch to start; a newer profiler or driver may align them better.</source>
        <translation>Misstrauen Sie Verzögerungen vom Launch bis zum Start; ein neuerer Profiler oder Treiber richtet die Uhren vielleicht besser aus.</translation>
    </message>
    <message>
        <source>Read the operators of such graphs with care. Recorders for ROCm name the kernels.</source>
        <translation>Lesen Sie die Operatoren solcher Graphen mit Vorsicht. Werkzeuge für ROCm nennen die Kernel.</translation>
    </message>
    <message>
        <source>Do not compare its times of day with other files&apos;.</source>
        <translation>Vergleichen Sie seine Uhrzeiten nicht mit denen anderer Dateien.</translation>
    </message>
    <message>
        <source>Record both of the same run; a log may cover more than the traces.</source>
        <translation>Zeichnen Sie beides im selben Lauf auf; ein Protokoll kann mehr umfassen als die Traces.</translation>
    </message>
    <message>
        <source>Several jobs that ran at the same time, such as data-parallel engines, each count their ranks from 0; they are shown as one run with numbers of their own.</source>
        <translation>Mehrere Jobs, die gleichzeitig liefen, etwa datenparallele Engines, zählen ihre Ränge jeweils ab 0; sie werden als ein Lauf mit eigenen Nummern gezeigt.</translation>
    </message>
    <message>
        <source>Open the files of one job in a folder of their own to see it alone.</source>
        <translation>Öffnen Sie die Dateien eines Jobs in einem eigenen Ordner, um ihn allein zu sehen.</translation>
    </message>
    <message>
        <source>The recorder lost GPU work: its launches are recorded, the work is not. The rank is not compared with others.</source>
        <translation>Der Profiler hat GPU-Arbeit verloren: Ihre Launches sind aufgezeichnet, die Arbeit nicht. Der Rang wird nicht mit anderen verglichen.</translation>
    </message>
    <message>
        <source>Record again: fewer steps, or less besides them.</source>
        <translation>Zeichnen Sie neu auf: weniger Schritte, oder weniger neben ihnen.</translation>
    </message>
    <message>
        <source>Raise --memory if looking at ranks is slow.</source>
        <translation>Erhöhen Sie --memory, wenn das Ansehen von Rängen langsam ist.</translation>
    </message>
    <message>
        <source>A file that a tool made of those of several ranks is left out beside them.</source>
        <translation>Eine Datei, die ein Werkzeug aus denen mehrerer Ränge gemacht hat, wird neben diesen weggelassen.</translation>
    </message>
    <message>
        <source>Compare its times with those of other reports only where collectives align them.</source>
        <translation>Vergleichen Sie seine Zeiten mit denen anderer Reports nur, wo Kollektiven sie ausrichten.</translation>
    </message>
    <message>
        <source>A file is left out beside those of the ranks: it has neither GPU work nor launches, as a front end&apos;s, or all ranks of the job are there and it says no rank.</source>
        <translation>Eine Datei wird neben denen der Ränge weggelassen: Sie enthält weder GPU-Arbeit noch deren Starts, wie die eines Frontends, oder alle Ränge des Jobs sind da und sie nennt keinen.</translation>
    </message>
    <message>
        <source>Open the file itself to see it.</source>
        <translation>Öffnen Sie die Datei selbst, um sie zu sehen.</translation>
    </message>
    <message>
        <source>A process was recorded several times (repeat of the profiler&apos;s schedule); the newest recording is shown.</source>
        <translation>Ein Prozess wurde mehrmals aufgezeichnet (repeat im Schedule des Profilers); gezeigt wird die neueste Aufzeichnung.</translation>
    </message>
    <message>
        <source>Open one of the other files itself to see it.</source>
        <translation>Öffnen Sie eine der anderen Dateien selbst, um sie zu sehen.</translation>
    </message>
    <message>
        <source>Record again with their GPU work if they should have some.</source>
        <translation>Zeichnen Sie mit ihrer GPU-Arbeit neu auf, wenn sie welche haben sollten.</translation>
    </message>
    <message>
        <source>GPU work lasts, as recorded, longer than it can have: a counter of the recorder ran over. It counts as the longest of its name that fits.</source>
        <translation>GPU-Arbeit dauert laut Aufzeichnung länger, als sie kann: Ein Zähler der Aufzeichnung ist übergelaufen. Sie zählt als die längste ihres Namens, die passt.</translation>
    </message>
    <message>
        <source>Record with a newer profiler; the true length of that work is not known.</source>
        <translation>Zeichnen Sie mit einem neueren Profiler auf; wie lange diese Arbeit wirklich dauerte, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Name the files by rank if a process is no rank.</source>
        <translation>Benennen Sie die Dateien nach dem Rang, wenn ein Prozess kein Rang ist.</translation>
    </message>
    <message>
        <source>See the file itself where a name looks wrong.</source>
        <translation>Sehen Sie in der Datei selbst nach, wo ein Name falsch aussieht.</translation>
    </message>
    <message>
        <source>Check that all files are of one job.</source>
        <translation>Prüfen Sie, ob alle Dateien von einem Job sind.</translation>
    </message>
    <message>
        <source>%1 (%2, %3 %)</source>
        <translation>%1 (%2, %3 %)</translation>
    </message>
    <message>
        <source>%1 in %2 (%3, %4 %)</source>
        <translation>%1 in %2 (%3, %4 %)</translation>
    </message>
    <message>
        <source>Rank %1 %2</source>
        <translation>Rang %1 %2</translation>
    </message>
    <message>
        <source>computes %1 times as long as its peers</source>
        <translation>rechnet %1-mal so lange wie seinesgleichen</translation>
    </message>
    <message>
        <source>takes %1 times as long as its peers for kernels of the same name, on median</source>
        <translation>braucht für Kernel desselben Namens im Median %1-mal so lange wie seinesgleichen</translation>
    </message>
    <message>
        <source>Rank %1 %2 and %3</source>
        <translation>Rang %1 %2 und %3</translation>
    </message>
    <message>
        <source>%1 % %2</source>
        <translation>%1 % %2</translation>
    </message>
    <message>
        <source>A step takes %1: %2</source>
        <translation>Ein Schritt dauert %1: %2</translation>
    </message>
    <message>
        <source>While the GPU waited for it, the innermost event of the host was mostly %1</source>
        <translation>Während die GPU auf ihn wartete, war das innerste Ereignis des Hosts meist %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 more ranks differ from their peers.</source>
        <translation>
            <numerusform>%1 weiterer Rang unterscheidet sich von seinesgleichen.</numerusform>
            <numerusform>%1 weitere Ränge unterscheiden sich von ihresgleichen.</numerusform>
        </translation>
    </message>
    <message>
        <source>First use: %1 takes %2 where the recording has it first, %3 of that in %4</source>
        <translation>Erste Verwendung: %1 dauert %2, wo die Aufzeichnung es zuerst hat, %3 davon in %4</translation>
    </message>
    <message>
        <source>First use: %1 takes %2 where the recording has it first, as %3 is loaded</source>
        <translation>Erste Verwendung: %1 dauert %2, wo die Aufzeichnung es zuerst hat, weil %3 geladen wird</translation>
    </message>
    <message numerus="yes">
        <source>; %1 more first uses take long</source>
        <translation>
            <numerusform>; %1 weitere erste Verwendung dauert lange</numerusform>
            <numerusform>; %1 weitere erste Verwendungen dauern lange</numerusform>
        </translation>
    </message>
    <message>
        <source>; this happens once and is no fault</source>
        <translation>; das geschieht einmal und ist kein Fehler</translation>
    </message>
    <message>
        <source>The GPU waits for the host: %1 would be saved if it took no time; what it does then is mostly not recorded</source>
        <translation>Die GPU wartet auf den Host: %1 wären gespart, wenn er keine Zeit bräuchte; was er dann tut, ist meist nicht aufgezeichnet</translation>
    </message>
    <message numerus="yes">
        <source>Communication of rank %1 takes up to %2× as long as the same calls of other ranks%3%4. All calls of this kind that rank %1 makes are slow, with ranks %5: %6 is likely</source>
        <translation>
            <numerusform>Kommunikation von Rang %1 dauert bis zu %2× so lange wie dieselben Aufrufe anderer Ränge%3%4. Alle Aufrufe dieser Art von Rang %1 sind langsam, mit Rang %5: Wahrscheinlich liegt es an %6</numerusform>
            <numerusform>Kommunikation von Rang %1 dauert bis zu %2× so lange wie dieselben Aufrufe anderer Ränge%3%4. Alle Aufrufe dieser Art von Rang %1 sind langsam, mit den Rängen %5: Wahrscheinlich liegt es an %6</numerusform>
        </translation>
    </message>
    <message>
        <source>its network card or cable</source>
        <translation>seiner Netzwerkkarte oder ihrem Kabel</translation>
    </message>
    <message>
        <source>its own link</source>
        <translation>seinem eigenen Link</translation>
    </message>
    <message>
        <source>The recordings of the ranks start at different times, and their first steps with them: that of rank %1 starts %2 after its peers&apos;</source>
        <translation>Die Aufnahmen der Ränge beginnen zu verschiedenen Zeiten und mit ihnen ihre ersten Schritte: Die von Rang %1 beginnt %2 nach denen von seinesgleichen</translation>
    </message>
    <message>
        <source>. Only the ranks that calls join to it are slower for it</source>
        <translation>. Nur die Ränge, die Aufrufe mit ihm verbinden, sind deshalb langsamer</translation>
    </message>
    <message>
        <source> The first launch of rank %1 takes %2: it belongs to no step.</source>
        <translation> Der erste Launch von Rang %1 dauert %2: Er gehört zu keinem Schritt.</translation>
    </message>
    <message>
        <source> It may be chance: few of the steps show it.</source>
        <translation> Es kann Zufall sein: Nur wenige der Schritte zeigen es.</translation>
    </message>
    <message>
        <source>Ranks take unequally long: a step takes %1 times as long as if all took the mean (straggler_slowdown); no rank stands out.</source>
        <translation>Ränge brauchen ungleich lang: Ein Schritt dauert %1-mal so lange, als wenn alle das Mittel bräuchten (straggler_slowdown); kein Rang sticht heraus.</translation>
    </message>
    <message>
        <source>The ranks were recorded for different lengths of time, and no call joins them: they are not compared with each other.</source>
        <translation>Die Ränge wurden verschieden lang aufgezeichnet, und kein Aufruf verbindet sie: Sie werden nicht miteinander verglichen.</translation>
    </message>
    <message>
        <source>less of it is hidden behind computation (%1 -&gt; %2 % of its time)</source>
        <translation>weniger davon ist hinter Rechnen verdeckt (%1 -&gt; %2 % ihrer Zeit)</translation>
    </message>
    <message>
        <source>more of it is hidden behind computation (%1 -&gt; %2 % of its time)</source>
        <translation>mehr davon ist hinter Rechnen verdeckt (%1 -&gt; %2 % ihrer Zeit)</translation>
    </message>
    <message>
        <source>, whose host keeps the GPU waiting %1 -&gt; %2</source>
        <translation>, wo der Host die GPU %1 -&gt; %2 warten lässt</translation>
    </message>
    <message>
        <source>, whose kernels take %1 -&gt; %2</source>
        <translation>, wo die Kernel %1 -&gt; %2 dauern</translation>
    </message>
    <message>
        <source>, whose copies take %1 -&gt; %2</source>
        <translation>, wo die Kopien %1 -&gt; %2 dauern</translation>
    </message>
    <message>
        <source>in the test only: %1 calls an iteration</source>
        <translation>nur im Test: %1 Aufrufe je Iteration</translation>
    </message>
    <message>
        <source>in the baseline only: %1 calls an iteration</source>
        <translation>nur in der Basis: %1 Aufrufe je Iteration</translation>
    </message>
    <message>
        <source>%1: %2 -&gt; %3 an iteration (%4 -&gt; %5 in all)</source>
        <translation>%1: %2 -&gt; %3 je Iteration (insgesamt %4 -&gt; %5)</translation>
    </message>
    <message>
        <source>%1 -&gt; %2</source>
        <translation>%1 -&gt; %2</translation>
    </message>
    <message>
        <source>the same values are on other ranks: %1 ...</source>
        <translation>dieselben Werte sind auf anderen Rängen: %1 ...</translation>
    </message>
    <message>
        <source>the same values are on other ranks: %1</source>
        <translation>dieselben Werte sind auf anderen Rängen: %1</translation>
    </message>
    <message>
        <source>found in the test only: %1</source>
        <translation>nur im Test gefunden: %1</translation>
    </message>
    <message>
        <source>found in the baseline only: %1</source>
        <translation>nur in der Basis gefunden: %1</translation>
    </message>
    <message>
        <source>baseline: %1</source>
        <translation>Basis: %1</translation>
    </message>
    <message>
        <source>test: %1</source>
        <translation>Test: %1</translation>
    </message>
    <message>
        <source>what else differs: %1</source>
        <translation>was sonst verschieden ist: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <translation>
            <numerusform>%1 Rang</numerusform>
            <numerusform>%1 Ränge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the test has no traces of ranks %1: what both runs have is compared, %2</source>
        <translation>
            <numerusform>dem Test fehlt der Trace von Rang %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
            <numerusform>dem Test fehlen die Traces der Ränge %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the baseline has no traces of ranks %1: what both runs have is compared, %2</source>
        <translation>
            <numerusform>der Basis fehlt der Trace von Rang %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
            <numerusform>der Basis fehlen die Traces der Ränge %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 steps</source>
        <translation>
            <numerusform>%1 Schritt</numerusform>
            <numerusform>%1 Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the test has no steps %1: what both runs have is compared, %2</source>
        <translation>
            <numerusform>dem Test fehlt Schritt %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
            <numerusform>dem Test fehlen die Schritte %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the baseline has no steps %1: what both runs have is compared, %2</source>
        <translation>
            <numerusform>der Basis fehlt Schritt %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
            <numerusform>der Basis fehlen die Schritte %1: Verglichen wird, was beide Läufe haben, %2</numerusform>
        </translation>
    </message>
    <message>
        <source>the runs have traces of other ranks, so that what differs may be a difference between ranks</source>
        <translation>die Läufe haben Traces anderer Ränge; was verschieden ist, kann daher ein Unterschied zwischen Rängen sein</translation>
    </message>
    <message>
        <source>not the same work: %1 % of kernel time and %2 % of operator time in common</source>
        <translation>nicht dieselbe Arbeit: %1 % der Kernelzeit und %2 % der Operatorzeit gemeinsam</translation>
    </message>
    <message>
        <source>not the same work: %1 % of kernel time in common</source>
        <translation>nicht dieselbe Arbeit: %1 % der Kernelzeit gemeinsam</translation>
    </message>
    <message>
        <source>the test lacks GPU work that its hosts launched: what it takes is not known</source>
        <translation>dem Test fehlt GPU-Arbeit, die seine Hosts gestartet haben: Wie lange sie dauert, ist nicht bekannt</translation>
    </message>
    <message>
        <source>the baseline lacks GPU work that its hosts launched: what it takes is not known</source>
        <translation>der Basis fehlt GPU-Arbeit, die ihre Hosts gestartet haben: Wie lange sie dauert, ist nicht bekannt</translation>
    </message>
    <message>
        <source>no steps known</source>
        <translation>keine Schritte bekannt</translation>
    </message>
    <message numerus="yes">
        <source> on %1 ranks</source>
        <translation>
            <numerusform> auf %1 Rang</numerusform>
            <numerusform> auf %1 Rängen</numerusform>
        </translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> mit %1</translation>
    </message>
    <message>
        <source>, %1 recorded</source>
        <translation>, %1 aufgezeichnet</translation>
    </message>
    <message>
        <source>on all ranks</source>
        <translation>(alle Ränge)</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>(%1)</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %2 more kernels are new: %3 %4</source>
        <translation>
            <numerusform>%1 und %2 weiterer Kernel sind neu: %3 %4</numerusform>
            <numerusform>%1 und %2 weitere Kernel sind neu: %3 %4</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %2 more kernels are gone: %3 %4</source>
        <translation>
            <numerusform>%1 und %2 weiterer Kernel sind weg: %3 %4</numerusform>
            <numerusform>%1 und %2 weitere Kernel sind weg: %3 %4</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is new: %2 %3</source>
        <translation>%1 ist neu: %2 %3</translation>
    </message>
    <message>
        <source>%1 is gone: %2 %3</source>
        <translation>%1 ist weg: %2 %3</translation>
    </message>
    <message>
        <source>%1 holds the events of several ranks, merged by %2 for a trace viewer; open the files of the ranks, each by itself in one folder</source>
        <translation>%1 enthält die Ereignisse mehrerer Ränge, von %2 für einen Trace-Betrachter vereint; die Dateien der Ränge öffnen, jede für sich in einem Ordner</translation>
    </message>
    <message>
        <source>the events of several ranks, merged by %1: left out beside the files of the ranks</source>
        <translation>die Ereignisse mehrerer Ränge, von %1 vereint: neben den Dateien der Ränge weggelassen</translation>
    </message>
    <message>
        <source>it is a database of rocprofiler v1, which holds no times; record with rocprofv3 --output-format rocpd</source>
        <translation>es ist eine Datenbank von rocprofiler v1, die keine Zeiten enthält; mit rocprofv3 --output-format rocpd aufzeichnen</translation>
    </message>
    <message>
        <source>it is a database of another program</source>
        <translation>es ist eine Datenbank eines anderen Programms</translation>
    </message>
    <message>
        <source>it is a checkpoint of PyTorch; open the traces that the profiler wrote</source>
        <translation>es ist ein Checkpoint von PyTorch; die Traces öffnen, die der Profiler geschrieben hat</translation>
    </message>
    <message>
        <source>it is a ZIP archive; unpack it and open what is in it</source>
        <translation>es ist ein ZIP-Archiv; auspacken und öffnen, was darin ist</translation>
    </message>
    <message>
        <source>it is a Chakra graph, which holds no measured times; open the Kineto trace that it was made of</source>
        <translation>es ist ein Chakra-Graph, der keine gemessenen Zeiten enthält; den Kineto-Trace öffnen, aus dem er entstand</translation>
    </message>
    <message>
        <source>it is a report of Nsight Compute on single kernels; record the run with nsys</source>
        <translation>es ist ein Report von Nsight Compute über einzelne Kernel; den Lauf mit nsys aufzeichnen</translation>
    </message>
    <message>
        <source>%1 is a trace for Perfetto, which is not read: open the run that it was exported from, or record with rocprofv3 --output-format rocpd, and open the .db</source>
        <translation>%1 ist ein Trace für Perfetto, der nicht gelesen wird: den Lauf öffnen, aus dem er entstand, oder mit rocprofv3 --output-format rocpd aufzeichnen und die .db öffnen</translation>
    </message>
    <message>
        <source>%1 is rocprofv3&apos;s own JSON, which is not read: record with rocprofv3 --output-format rocpd, and open the .db</source>
        <translation>%1 ist das eigene JSON von rocprofv3, das nicht gelesen wird: mit rocprofv3 --output-format rocpd aufzeichnen und die .db öffnen</translation>
    </message>
    <message>
        <source>several files of one time say that they are rank 0 of 1: the ranks are taken from their names, else by device or order</source>
        <translation>mehrere Dateien aus derselben Zeit nennen sich Rang 0 von 1: die Ränge kommen aus ihren Namen, sonst nach Gerät oder Reihenfolge</translation>
    </message>
    <message>
        <source>the process of rank %1 was recorded again: %2 is shown, this recording is not; open the file itself to see it</source>
        <translation>der Prozess von Rang %1 wurde erneut aufgezeichnet: gezeigt wird %2, diese Aufzeichnung nicht; die Datei selbst öffnen, um sie zu sehen</translation>
    </message>
    <message>
        <source>%1 jobs are side by side, and each counts its ranks from 0: those of this file&apos;s job are shown as %2 to %3, and no call of one job is matched with another&apos;s</source>
        <translation>%1 Jobs stehen nebeneinander, und jeder zählt seine Ränge ab 0: die des Jobs dieser Datei werden als %2 bis %3 gezeigt, und kein Aufruf eines Jobs wird einem eines anderen zugeordnet</translation>
    </message>
    <message>
        <source>files of one time tell the same ranks: those of this file&apos;s folder or name are taken as %1 to %2</source>
        <translation>Dateien aus derselben Zeit nennen dieselben Ränge: die aus dem Ordner oder mit dem Namen dieser Datei gelten als %1 bis %2</translation>
    </message>
    <message>
        <source>%1 of %2 devices have no events: they are in no total and no mean</source>
        <translation>%1 von %2 Geräten haben keine Ereignisse: Sie sind in keiner Summe und keinem Mittel</translation>
    </message>
    <message>
        <source>%1 launches of rank %2 have no GPU work; its computation and idle time are not comparable</source>
        <translation>%1 Launches von Rang %2 haben keine GPU-Arbeit; seine Rechenzeit und sein Leerlauf sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>%1 holds the events of several processes, each with its own GPU work, as if it were of one rank; open the files of the ranks that it was made from</source>
        <translation>%1 enthält die Ereignisse mehrerer Prozesse, jeder mit eigener GPU-Arbeit, als wäre es die eines Rangs; die Dateien der Ränge öffnen, aus denen sie entstand</translation>
    </message>
    <message>
        <source>the events of several processes, each with its own GPU work: left out beside the files of the ranks</source>
        <translation>die Ereignisse mehrerer Prozesse, jeder mit eigener GPU-Arbeit: neben den Dateien der Ränge weggelassen</translation>
    </message>
    <message>
        <source>nsys cut the times of these rows to the width of their column: they are known to %1 us, and are shown as if zeros followed; print the report as CSV for all digits</source>
        <translation>nsys hat die Zeiten dieser Zeilen auf die Breite ihrer Spalte gekürzt: sie sind auf %1 us bekannt und werden gezeigt, als folgten Nullen; geben Sie den Report als CSV aus, um alle Ziffern zu haben</translation>
    </message>
    <message>
        <source>%1 holds no work of a GPU</source>
        <translation>%1 enthält keine Arbeit einer GPU</translation>
    </message>
    <message>
        <source>%1 is no database of rocmProfileData</source>
        <translation>%1 ist keine Datenbank von rocmProfileData</translation>
    </message>
    <message>
        <source>the run does not hold what the metric measures</source>
        <translation>der Lauf enthält nicht, was die Metrik misst</translation>
    </message>
    <message>
        <source>no iteration is known: there are neither marks of steps nor work that repeats</source>
        <translation>keine Iteration ist bekannt: es gibt weder Marken von Schritten noch Arbeit, die sich wiederholt</translation>
    </message>
    <message>
        <source>%1 of the %2 events of %3 could not be read: what is said is of the others.</source>
        <translation>%1 der %2 Ereignisse von %3 ließen sich nicht lesen: Was gesagt wird, gilt für die anderen.</translation>
    </message>
    <message>
        <source>%1 of the %2 events of %3 files could not be read: what is said is of the others.</source>
        <translation>%1 der %2 Ereignisse von %3 Dateien ließen sich nicht lesen: Was gesagt wird, gilt für die anderen.</translation>
    </message>
    <message>
        <source>GPU work starts before the call that launched it: the clocks of host and GPU disagree by %1 at least</source>
        <translation>GPU-Arbeit beginnt vor dem Aufruf, der sie gestartet hat: die Uhren von Host und GPU weichen um mindestens %1 voneinander ab</translation>
    </message>
    <message>
        <source>launches have no GPU work; computation and idle time of the rank are not comparable</source>
        <translation>Launches haben keine GPU-Arbeit; Rechenzeit und Leerlauf des Rangs sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>%1: only runs of Nsight Systems have the start of a session that --time-range @ counts from; without @ it counts from the run&apos;s first event</source>
        <translation>%1: nur Läufe von Nsight Systems haben den Beginn einer Sitzung, ab dem --time-range @ zählt; ohne @ zählt es ab dem ersten Ereignis des Laufs</translation>
    </message>
    <message>
        <source>--time-range @ needs --batch; in the window drag over the time you want</source>
        <translation>--time-range @ braucht --batch; im Fenster die gewünschte Zeit mit der Maus überstreichen</translation>
    </message>
    <message>
        <source>Time of an iteration until the GPU has done its work, mean over steps and the ranks that can be judged. A step ends when both the host and the GPU have finished it; the next one starts at that moment. Runs are compared by it. iter_time is what the profiler&apos;s marks on the host enclose.</source>
        <translation>Zeit einer Iteration, bis die GPU ihre Arbeit getan hat, Mittel über Schritte und die Ränge, die sich beurteilen lassen. Ein Schritt endet, wenn Host und GPU beide mit ihm fertig sind; in diesem Augenblick beginnt der nächste. Läufe werden danach verglichen. iter_time ist, was die Marken des Profilers auf dem Host einschließen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 repetitions, %2 each on mean,</source>
        <translation>
            <numerusform>%1 Wiederholung von %2</numerusform>
            <numerusform>%1 Wiederholungen von im Mittel %2,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 steps of the engine</source>
        <translation>
            <numerusform>%1 Schritt des Dienstes</numerusform>
            <numerusform>%1 Schritte des Dienstes</numerusform>
        </translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>diffusion</source>
        <translation>Diffusion</translation>
    </message>
    <message>
        <source>Inference only: median_ttft_ms of bench_results.jsonl, else the median of the requests logged beside the trace, else from the start of the first engine step that computes a prompt to the end of the GPU work of its last, median over prompts, mean over ranks. Steps with prompts that follow each other count where their names tell which are chunks of one prompt. Time in the queue before the step is not in the trace; time in which the GPU works off what was queued before the recording does not count.</source>
        <translation>Nur Inferenz: median_ttft_ms aus bench_results.jsonl, sonst der Median der Anfragen, die neben dem Trace protokolliert sind, sonst vom Anfang des ersten Schritts, der einen Prompt rechnet, bis zum Ende der GPU-Arbeit seines letzten, Median über Prompts, Mittel über Ränge. Aufeinander folgende Schritte mit Prompts zählen dann, wenn ihre Namen sagen, welche Teile eines Prompts sind. Wartezeit vor dem Schritt steht nicht im Trace; Zeit, in der die GPU abarbeitet, was vor der Aufzeichnung wartete, zählt nicht.</translation>
    </message>
    <message>
        <source>Inference only: median_tpot_ms of bench_results.jsonl, else the median of the requests logged beside the trace, else the time from the end of the GPU work of one engine step that generates to that of the next, steps with prompts between them included: mean over the running requests of all steps, mean over ranks. A request that joins waits since its own prompt. Of a single step its own time. With speculative decoding, where a step gives a request several tokens, over the mean acceptance length (of the workload card, a benchmark&apos;s result or a log of requests); no value without one.</source>
        <translation>Nur Inferenz: median_tpot_ms aus bench_results.jsonl, sonst der Median der Anfragen, die neben dem Trace protokolliert sind, sonst die Zeit vom Ende der GPU-Arbeit eines Schritts, der Token erzeugt, bis zu dem des nächsten, Schritte mit Prompts dazwischen eingeschlossen: Mittel über die laufenden Anfragen aller Schritte, Mittel über Ränge. Eine Anfrage, die dazukommt, wartet seit ihrem eigenen Prompt. Bei einem einzigen Schritt dessen eigene Zeit. Bei spekulativem Dekodieren, wo ein Schritt einer Anfrage mehrere Token gibt, durch die mittlere Akzeptanzlänge (der Workload Card, der Ergebnisse eines Benchmarks oder eines Logs der Anfragen); ohne sie kein Wert.</translation>
    </message>
    <message>
        <source>Inference only: median_itl_ms of bench_results.jsonl, else the median gap between the tokens of a request, of the requests logged beside the trace, else from the end of the GPU work of one engine step that generates to that of the next, steps with prompts between them included: median over the running requests of all steps, mean over ranks. A request that joins waits since its own prompt.</source>
        <translation>Nur Inferenz: median_itl_ms aus bench_results.jsonl, sonst der Median der Abstände zwischen den Token einer Anfrage, der Anfragen, die neben dem Trace protokolliert sind, sonst vom Ende der GPU-Arbeit eines Schritts, der Token erzeugt, bis zu dem des nächsten, Schritte mit Prompts dazwischen eingeschlossen: Median über die laufenden Anfragen aller Schritte, Mittel über Ränge. Eine Anfrage, die dazukommt, wartet seit ihrem eigenen Prompt.</translation>
    </message>
    <message>
        <source>Stall by a prefill</source>
        <translation>Stillstand durch einen Prefill</translation>
    </message>
    <message>
        <source>Inference only: how long running requests stand still while the engine computes prompts alone: from the end of the GPU work of the last step that generated to that of the last step with prompts before the next one, median over such stalls, mean over ranks. Details: its share of the time that running requests wait for tokens. What prompts cost in mixed steps is not known apart.</source>
        <translation>Nur Inferenz: wie lange laufende Anfragen stillstehen, während der Dienst nur Prompts rechnet: vom Ende der GPU-Arbeit des letzten Schritts, der Token erzeugte, bis zu dem des letzten Schritts mit Prompts vor dem nächsten, Median über solche Stillstände, Mittel über Ränge. Einzelheiten: ihr Anteil an der Zeit, die laufende Anfragen auf Token warten. Was Prompts in gemischten Schritten kosten, ist nicht getrennt bekannt.</translation>
    </message>
    <message>
        <source>Inference only: tokens that decoding requests received in the engine&apos;s steps over the time of all steps, mean over ranks; counted from the names of the steps. Drafts are no tokens: where steps verify them, requests receive the mean acceptance length, and without one there is no value. Details: prompt tokens per second, and the time of a step by kind and batch (by_batch.decode.32: 32 requests; by_batch.prefill.512: 512 prompt tokens; by_batch.mixed.512_31: both).</source>
        <translation>Nur Inferenz: Token, die dekodierende Anfragen in den Schritten des Dienstes erhielten, durch die Zeit aller Schritte, Mittel über Ränge; gezählt nach den Namen der Schritte. Entwürfe sind keine Token: wo Schritte sie prüfen, bekommen Anfragen die mittlere Akzeptanzlänge, und ohne sie gibt es keinen Wert. Einzelheiten: Prompt-Token je Sekunde und die Zeit eines Schritts nach Art und Batch (by_batch.decode.32: 32 Anfragen; by_batch.prefill.512: 512 Prompt-Token; by_batch.mixed.512_31: beides).</translation>
    </message>
    <message>
        <source>Share of the time from the first GPU event&apos;s start to the last one&apos;s end in which no kernel, copy or set runs, mean over ranks. The time in which a GPU works off what was queued before the recording is left out. Details: computation, exposed communication, exposed copies and idle, which add up to the total.</source>
        <translation>Anteil der Zeit vom Anfang des ersten bis zum Ende des letzten GPU-Ereignisses, in dem weder Kernel noch Kopie noch Setzen läuft, Mittel über Ränge. Die Zeit, in der eine GPU abarbeitet, was vor der Aufzeichnung wartete, zählt nicht. Einzelheiten: Rechnen, unverdeckte Kommunikation, unverdeckte Kopien und Leerlauf, die zusammen das Ganze ergeben.</translation>
    </message>
    <message>
        <source>A profile of XLA for the trace viewer leaves out events beyond a million.</source>
        <translation>Ein Profil von XLA für den Trace Viewer lässt Ereignisse nach der ersten Million weg.</translation>
    </message>
    <message>
        <source>Open the .xplane.pb beside it.</source>
        <translation>Die .xplane.pb daneben öffnen.</translation>
    </message>
    <message>
        <source>The ranks are on %1 machines.</source>
        <translation>Die Ränge sind auf %1 Maschinen.</translation>
    </message>
    <message>
        <source>From the end of earlier work to its last GPU work a rank takes %1: %2</source>
        <translation>Vom Ende früherer Arbeit bis zu seiner letzten GPU-Arbeit braucht ein Rang %1: %2</translation>
    </message>
    <message>
        <source>From its first to its last GPU work a rank takes %1: %2</source>
        <translation>Von seiner ersten bis zu seiner letzten GPU-Arbeit braucht ein Rang %1: %2</translation>
    </message>
    <message>
        <source>While the GPU waited for it, the longest innermost events of the host were %1</source>
        <translation>Während die GPU auf ihn wartete, waren die längsten innersten Ereignisse des Hosts %1</translation>
    </message>
    <message>
        <source>%1 communication holds the step up: %2 of it is exposed, and bubbles or waits follow from it</source>
        <translation>%1-Kommunikation hält den Schritt auf: %2 davon sind unverdeckt, und Bubbles oder Warten folgen daraus</translation>
    </message>
    <message>
        <source>Communication holds the step up: %1 of it is exposed, and bubbles or waits follow from it</source>
        <translation>Kommunikation hält den Schritt auf: %1 davon sind unverdeckt, und Bubbles oder Warten folgen daraus</translation>
    </message>
    <message>
        <source>; without it the host is the limit</source>
        <translation>; ohne sie ist der Host die Grenze</translation>
    </message>
    <message>
        <source>; their kernels take %1 instead of %2, and the others wait</source>
        <translation>; ihre Kernel brauchen %1 statt %2, und die anderen warten</translation>
    </message>
    <message>
        <source>; its kernels take %1 instead of %2, and the others wait</source>
        <translation>; seine Kernel brauchen %1 statt %2, und die anderen warten</translation>
    </message>
    <message>
        <source> (the cost leaves out what single ranks take longer than the others)</source>
        <translation> (die Kosten lassen weg, was einzelne Ränge länger brauchen als die anderen)</translation>
    </message>
    <message>
        <source> in some steps</source>
        <translation> in einigen Schritten</translation>
    </message>
    <message>
        <source>The host pauses%1, for %2 at the longest, and the GPU waits</source>
        <translation>Der Host macht Pausen%1, höchstens %2 lang, und die GPU wartet</translation>
    </message>
    <message>
        <source>The hosts of all ranks pause%1, for %2 at the longest, and the GPU waits</source>
        <translation>Die Hosts aller Ränge machen Pausen%1, höchstens %2 lang, und die GPU wartet</translation>
    </message>
    <message numerus="yes">
        <source>The hosts of ranks %1 pause%2, for %3 at the longest, and the GPU waits</source>
        <translation>
            <numerusform>Der Host von Rang %1 macht Pausen%2, höchstens %3 lang, und die GPU wartet</numerusform>
            <numerusform>Die Hosts der Ränge %1 machen Pausen%2, höchstens %3 lang, und die GPU wartet</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>The GPU waits for the host: %1 would be saved if it took no time</source>
        <translation>Die GPU wartet auf den Host: %1 würden gespart, wenn er keine Zeit brauchte</translation>
    </message>
    <message>
        <source>; at least %1 of that is waiting for ranks whose hosts are late</source>
        <translation>; davon sind mindestens %1 Warten auf Ränge, deren Hosts spät sind</translation>
    </message>
    <message>
        <source>for their kernels</source>
        <translation>für ihre Kernel</translation>
    </message>
    <message>
        <source>for their copies</source>
        <translation>für ihre Kopien</translation>
    </message>
    <message>
        <source>for work that their peers do not have</source>
        <translation>für Arbeit, die ihre Vergleichsränge nicht haben</translation>
    </message>
    <message>
        <source>between launches</source>
        <translation>zwischen Starts</translation>
    </message>
    <message>
        <source>to load data</source>
        <translation>zum Laden von Daten</translation>
    </message>
    <message>
        <source>for garbage collections</source>
        <translation>für die Speicherbereinigung</translation>
    </message>
    <message>
        <source>for waits of the host</source>
        <translation>für Warten des Hosts</translation>
    </message>
    <message>
        <source>to allocate GPU memory</source>
        <translation>zum Anfordern von GPU-Speicher</translation>
    </message>
    <message>
        <source>Ranks %1 take longer than their peers %2%3; of rank %4: %5</source>
        <translation>Die Ränge %1 brauchen länger als ihre Vergleichsränge %2%3; bei Rang %4: %5</translation>
    </message>
    <message>
        <source>Rank %1 takes longer than its peers%2: %3</source>
        <translation>Rang %1 braucht länger als seine Vergleichsränge%2: %3</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <source>%1 in step %2, %3 of %4 on average</source>
        <translation>%1 in Schritt %2, im Mittel %3 von %4</translation>
    </message>
    <message>
        <source>%1 in each of %2 steps, %3 of %4 on average</source>
        <translation>%1 in jedem von %2 Schritten, im Mittel %3 von %4</translation>
    </message>
    <message>
        <source> The others wait %1 for rank %2; the rest of that they would wait for something else.</source>
        <translation> Die anderen warten %1 auf Rang %2; den Rest davon würden sie auf anderes warten.</translation>
    </message>
    <message>
        <source> On the host a step takes %1 (iter_time).</source>
        <translation> Auf dem Host dauert ein Schritt %1 (iter_time).</translation>
    </message>
    <message numerus="yes">
        <source>of %1 calls not all members are known: their waits are changed as well</source>
        <translation>
            <numerusform>von %1 Aufruf sind nicht alle Teilnehmer bekannt: Auch sein Warten ist verändert</numerusform>
            <numerusform>von %1 Aufrufen sind nicht alle Teilnehmer bekannt: Auch ihr Warten ist verändert</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 prompt tokens/s</source>
        <translation>, %1 Prompt-Token/s</translation>
    </message>
    <message>
        <source>, %1 generated tokens/s</source>
        <translation>, %1 erzeugte Token/s</translation>
    </message>
    <message>
        <source>, whose launched work starts after gaps of %1 -&gt; %2</source>
        <translation>, dessen gestartete Arbeit nach Lücken von %1 -&gt; %2 beginnt</translation>
    </message>
    <message>
        <source>why is not known</source>
        <translation>warum, ist nicht bekannt</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of CCL-Bench needs a simulation with Astra-sim; nearest: %2</source>
        <translation>„%1“ von CCL-Bench braucht eine Simulation mit Astra-sim; am nächsten: %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of CCL-Bench is not measured; nearest: %2</source>
        <translation>„%1“ von CCL-Bench wird nicht gemessen; am nächsten: %2</translation>
    </message>
    <message>
        <source>the host takes %1 -&gt; %2 from one launch to the next (%3 launches an iteration)</source>
        <translation>der Host braucht %1 -&gt; %2 von einem Start zum nächsten (%3 Starts je Iteration)</translation>
    </message>
    <message>
        <source>(the other rank %1 -&gt; %2)</source>
        <translation>(der andere Rang %1 -&gt; %2)</translation>
    </message>
    <message numerus="yes">
        <source>gaps before their launched work starts take %1 %2</source>
        <translation>
            <numerusform>Lücken vor dem Beginn seiner gestarteten Arbeit dauern %1 %2</numerusform>
            <numerusform>Lücken vor dem Beginn ihrer gestarteten Arbeit dauern %1 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>gaps before its launched work starts take %1 instead of %2</source>
        <translation>Lücken vor dem Beginn seiner gestarteten Arbeit dauern %1 statt %2</translation>
    </message>
    <message>
        <source>Draft steps</source>
        <translation>Entwurfsschritte</translation>
    </message>
    <message>
        <source>Verify steps</source>
        <translation>Prüfschritte</translation>
    </message>
    <message>
        <source>Diffusion steps</source>
        <translation>Diffusionsschritte</translation>
    </message>
    <message>
        <source>%1 of equal batch size</source>
        <translation>%1 gleicher Batchgröße</translation>
    </message>
    <message>
        <source>%1 take %2 instead of %3 on average, because their batches differ%4. At equal batch size they take as long as before%5.</source>
        <translation>%1 dauern im Mittel %2 statt %3, weil ihre Batches verschieden groß sind%4. Bei gleicher Batchgröße dauern sie so lange wie vorher%5.</translation>
    </message>
    <message>
        <source>no median_ttft_ms, median_tpot_ms, median_itl_ms or output_throughput in it</source>
        <translation>kein median_ttft_ms, median_tpot_ms, median_itl_ms oder output_throughput darin</translation>
    </message>
    <message>
        <source>%1 is no mean acceptance length (1 to 64 tokens): %2</source>
        <translation>%1 ist keine mittlere Akzeptanzlänge (1 bis 64 Token): %2</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have launches but no kernels: record with ProfilerActivity.CUDA, or nsys --trace=cuda</source>
        <translation>%1 von %2 Rängen haben Starts, aber keine Kernel: mit ProfilerActivity.CUDA aufzeichnen, oder mit nsys --trace=cuda</translation>
    </message>
    <message>
        <source>%1 cannot be exported: no folder can be made for the export</source>
        <translation>%1 kann nicht exportiert werden: Für den Export lässt sich kein Ordner anlegen</translation>
    </message>
    <message>
        <source>it is no whole JSON: %1</source>
        <translation>es ist kein vollständiges JSON: %1</translation>
    </message>
    <message>
        <source>the file is for the trace viewer, and leaves out events beyond a million: open the .xplane.pb beside it</source>
        <translation>die Datei ist für den Trace Viewer und lässt Ereignisse nach der ersten Million weg: die .xplane.pb daneben öffnen</translation>
    </message>
    <message>
        <source>needs two steps with GPU work that generate, and only prompts between them</source>
        <translation>braucht zwei Schritte mit GPU-Arbeit, die Token erzeugen, und nur Prompts dazwischen</translation>
    </message>
    <message>
        <source>prompts are computed beside running requests, in mixed steps: what that delays these is not known apart</source>
        <translation>Prompts werden neben laufenden Anfragen gerechnet, in gemischten Schritten: Was das diese verzögert, ist nicht getrennt bekannt</translation>
    </message>
    <message>
        <source>no step with prompts lies between two steps of running requests</source>
        <translation>zwischen zwei Schritten laufender Anfragen liegt kein Schritt mit Prompts</translation>
    </message>
    <message>
        <source>a text, blob or row of a query may have 1 MB</source>
        <translation>ein Text, Blob oder eine Zeile einer Abfrage darf 1 MB haben</translation>
    </message>
    <message>
        <source>%1 needs %2 MB of disk for its files, and %3 has %4 MB left</source>
        <translation>%1 braucht %2 MB Platz für seine Dateien, und %3 hat noch %4 MB</translation>
    </message>
    <message>
        <source>kernels take %1 times as long on average on the other GPU, or with other inputs: the sizes of inputs are not recorded in both runs</source>
        <translation>Kernel dauern auf der anderen GPU, oder mit anderen Eingaben, im Mittel %1-mal so lange: die Größen der Eingaben sind nicht in beiden Läufen aufgezeichnet</translation>
    </message>
    <message>
        <source>inputs of other sizes (%1)</source>
        <translation>Eingaben anderer Größe (%1)</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>, %1</translation>
    </message>
    <message>
        <source>%1 per iteration</source>
        <translation>%1 je Iteration</translation>
    </message>
    <message>
        <source>%1 on the host</source>
        <translation>%1 auf dem Host</translation>
    </message>
    <message>
        <source>one value a run</source>
        <translation>ein Wert je Lauf</translation>
    </message>
    <message>
        <source>no two calls of one size in both runs</source>
        <translation>keine zwei Aufrufe einer Größe in beiden Läufen</translation>
    </message>
    <message>
        <source>one step a run</source>
        <translation>ein Schritt je Lauf</translation>
    </message>
    <message>
        <source>steps of another number of tokens</source>
        <translation>Schritte mit einer anderen Zahl von Token</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>the best</source>
        <translation>der beste</translation>
    </message>
    <message>
        <source>against the first by what both have (%1 -&gt; %2)</source>
        <translation>gegen den ersten nach dem, was beide haben (%1 -&gt; %2)</translation>
    </message>
    <message>
        <source>%1 of %2 devices (no events)</source>
        <translation>%1 von %2 Geräten (keine Ereignisse)</translation>
    </message>
    <message>
        <source>%1 of %2 devices have no events: nothing is said about them.</source>
        <translation>%1 von %2 Geräten haben keine Ereignisse: über sie wird nichts gesagt.</translation>
    </message>
    <message>
        <source>Kernels that communicate while they compute, such as %1, take %2 % of the kernels&apos; time: all of it counts as computation, and how long they wait for other ranks cannot be told.</source>
        <translation>Kernel, die beim Rechnen kommunizieren, wie %1, nehmen %2 % der Kernelzeit ein: Sie zählt ganz als Rechnen, und wie lange sie auf andere Ränge warten, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>it is a database of nvprof, which is not read; record the run with nsys</source>
        <translation>es ist eine Datenbank von nvprof, die nicht gelesen wird; den Lauf mit nsys aufzeichnen</translation>
    </message>
    <message>
        <source>it is a memory timeline of PyTorch, which holds no GPU work; open the trace that it was made of</source>
        <translation>es ist ein Speicherverlauf (memory timeline) von PyTorch, der keine GPU-Arbeit enthält; den Trace öffnen, aus dem er entstand</translation>
    </message>
    <message>
        <source>it is a log of TensorBoard; open the traces of the profiler, in plugins/profile beside it</source>
        <translation>es ist ein Protokoll von TensorBoard; die Traces des Profilers öffnen, daneben in plugins/profile</translation>
    </message>
    <message>
        <source>it is a profile for speedscope, which holds no GPU work; record a trace with torch.profiler</source>
        <translation>es ist ein Profil für speedscope, das keine GPU-Arbeit enthält; einen Trace mit torch.profiler aufzeichnen</translation>
    </message>
    <message>
        <source>%1 is an export of Nsight Systems in %2, which is not read: make another from the report with nsys export --type sqlite --output report.sqlite report.nsys-rep, and open that</source>
        <translation>%1 ist ein Export von Nsight Systems in %2, der nicht gelesen wird: aus dem Report mit nsys export --type sqlite --output report.sqlite report.nsys-rep einen anderen machen und diesen öffnen</translation>
    </message>
    <message>
        <source>%1 is of AWS Neuron&apos;s profiler, which is not read: open it in Neuron Explorer</source>
        <translation>%1 ist vom Profiler von AWS Neuron und wird nicht gelesen: in Neuron Explorer öffnen</translation>
    </message>
    <message>
        <source>%1 is a table of AMD&apos;s rocprof, which is not read: record with rocprofv3 --output-format rocpd, and open the .db</source>
        <translation>%1 ist eine Tabelle von AMDs rocprof, die nicht gelesen wird: mit rocprofv3 --output-format rocpd aufzeichnen und die .db öffnen</translation>
    </message>
    <message>
        <source>%1 is a trace of torch_npu (Ascend), whose layout is not read; open it in MindStudio Insight</source>
        <translation>%1 ist ein Trace von torch_npu (Ascend), dessen Aufbau nicht gelesen wird; in MindStudio Insight öffnen</translation>
    </message>
    <message>
        <source>%1 is a trace of torch.autograd.profiler before PyTorch 1.8, which holds how long operators take on the GPU, but no kernels; record with torch.profiler</source>
        <translation>%1 ist ein Trace von torch.autograd.profiler vor PyTorch 1.8, der sagt, wie lange Operatoren auf der GPU dauern, aber keine Kernel enthält; mit torch.profiler aufzeichnen</translation>
    </message>
    <message>
        <source>%1 is a Chrome trace of AMD&apos;s rocprof before rocprofv3, which is not read; record with rocprofv3 --output-format rocpd, and open the .db</source>
        <translation>%1 ist ein Chrome-Trace von AMDs rocprof vor rocprofv3, der nicht gelesen wird; mit rocprofv3 --output-format rocpd aufzeichnen und die .db öffnen</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have no event of a kind that torch.profiler writes: another program wrote the trace, which is shown, but not analysed</source>
        <translation>%1 von %2 Rängen haben kein Ereignis einer Art, die torch.profiler schreibt: Ein anderes Programm schrieb den Trace; er wird gezeigt, aber nicht ausgewertet</translation>
    </message>
    <message>
        <source>The clocks of the ranks still disagree after alignment: at a tenth of the collective calls or more, a rank ends %1 or more before another one starts; lags shorter than that mean nothing</source>
        <translation>Die Uhren der Ränge widersprechen sich auch nach der Angleichung: Bei einem Zehntel der kollektiven Aufrufe oder mehr endet ein Rang %1 oder mehr, bevor ein anderer beginnt; kürzere Verspätungen besagen nichts</translation>
    </message>
    <message>
        <source>The clocks of the ranks disagree and are not aligned: at a tenth of the collective calls or more, a rank ends %1 or more before another one starts; lags between ranks are not to be trusted</source>
        <translation>Die Uhren der Ränge widersprechen sich und sind nicht angeglichen: Bei einem Zehntel der kollektiven Aufrufe oder mehr endet ein Rang %1 oder mehr, bevor ein anderer beginnt; Verspätungen zwischen Rängen ist nicht zu trauen</translation>
    </message>
    <message>
        <source>; its inputs have other sizes: %1 has %2, on its peers %3</source>
        <translation>; seine Eingaben sind anders groß: %1 hat %2, auf den anderen Rängen %3</translation>
    </message>
    <message>
        <source>%1, mostly in %2</source>
        <translation>%1, meist in %2</translation>
    </message>
    <message>
        <source>its %1 kernels take %2× its peers&apos; where no communication runs beside them</source>
        <translation>seine %1-Kernel brauchen ohne Kommunikation daneben das %2-Fache der anderen</translation>
    </message>
    <message>
        <source>%1, and its other kernels too</source>
        <translation>%1, seine übrigen Kernel ebenso</translation>
    </message>
    <message>
        <source>Some ranks were recorded long before the others: the files may be of different launches.</source>
        <translation>Einige Ränge wurden lange vor den anderen aufgezeichnet: Die Dateien können von verschiedenen Starts sein.</translation>
    </message>
    <message>
        <source>Open the files of one launch. Times of different ranks are not comparable otherwise.</source>
        <translation>Die Dateien eines Starts öffnen. Sonst sind Zeiten verschiedener Ränge nicht vergleichbar.</translation>
    </message>
    <message>
        <source>%1 with %2 multiprocessors</source>
        <translation>%1 mit %2 Multiprozessoren</translation>
    </message>
    <message>
        <source> It last finished %1, which was noticed %2 before the last entry of all dumps.</source>
        <translation> Zuletzt beendet hat er %1, bemerkt %2 vor dem letzten Eintrag aller Auszüge.</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>Unverdeckte Kommunikation</translation>
    </message>
    <message>
        <source>Time of an iteration in which only communication runs and all members of the call have arrived, outside of pipeline bubbles; mean over steps and ranks.</source>
        <translation>Zeit einer Iteration, in der nur Kommunikation läuft und alle Mitglieder des Aufrufs angekommen sind, außerhalb von Pipeline-Bubbles; Mittel über Schritte und Ränge.</translation>
    </message>
    <message>
        <source>Waiting for other ranks</source>
        <translation>Warten auf andere Ränge</translation>
    </message>
    <message>
        <source>Time of an iteration in which only communication runs and a member of the call has not arrived yet, outside of pipeline bubbles; mean over steps and ranks.</source>
        <translation>Zeit einer Iteration, in der nur Kommunikation läuft und ein Mitglied des Aufrufs noch nicht angekommen ist, außerhalb von Pipeline-Bubbles; Mittel über Schritte und Ränge.</translation>
    </message>
    <message>
        <source>Time in pipeline bubbles</source>
        <translation>Zeit in Pipeline-Bubbles</translation>
    </message>
    <message>
        <source>Time of an iteration in which a pipeline stage waits for its neighbours; mean over steps and ranks.</source>
        <translation>Zeit einer Iteration, in der eine Pipeline-Stufe auf ihre Nachbarn wartet; Mittel über Schritte und Ränge.</translation>
    </message>
    <message>
        <source>GPU idle in a step</source>
        <translation>GPU untätig in einem Schritt</translation>
    </message>
    <message>
        <source>Time of an iteration in which no GPU work runs, outside of pipeline bubbles; mean over steps and ranks.</source>
        <translation>Zeit einer Iteration, in der keine GPU-Arbeit läuft, außerhalb von Pipeline-Bubbles; Mittel über Schritte und Ränge.</translation>
    </message>
    <message>
        <source>Calls that wait for the GPU return before its work ends: the recorder did not align the clocks of host and GPU. Where calls agree by how much, times of the GPU are moved back.</source>
        <translation>Aufrufe, die auf die GPU warten, kehren zurück, bevor deren Arbeit endet: Die Aufzeichnung hat die Uhren von Host und GPU nicht angeglichen. Wo die Aufrufe übereinstimmen, um wie viel, werden Zeiten der GPU zurückgesetzt.</translation>
    </message>
    <message>
        <source>A newer profiler or driver may align them better.</source>
        <translation>Ein neuerer Profiler oder Treiber gleicht sie vielleicht besser an.</translation>
    </message>
    <message>
        <source>Behind a trace another document begins in the same file.</source>
        <translation>Hinter einem Trace beginnt in derselben Datei ein weiteres Dokument.</translation>
    </message>
    <message>
        <source>Split the file, or record into a new one.</source>
        <translation>Teilen Sie die Datei, oder zeichnen Sie in eine neue auf.</translation>
    </message>
    <message numerus="yes">
        <source>Steps %1 take %2 on average, the median step %3</source>
        <translation>
            <numerusform>Schritt %1 dauert %2, der mittlere Schritt (Median) %3</numerusform>
            <numerusform>Die Schritte %1 dauern im Mittel %2, der mittlere Schritt (Median) %3</numerusform>
        </translation>
    </message>
    <message>
        <source>; in %1 of the difference nothing is recorded</source>
        <translation>; in %1 des Unterschieds ist nichts aufgezeichnet</translation>
    </message>
    <message>
        <source>; %1 of the difference is %2</source>
        <translation>; %1 des Unterschieds: %2</translation>
    </message>
    <message>
        <source>bubbles of the pipeline take %1 longer</source>
        <translation>Pipeline-Bubbles dauern %1 länger</translation>
    </message>
    <message>
        <source>waiting for ranks that come late</source>
        <translation>Warten auf Ränge, die zu spät kommen</translation>
    </message>
    <message>
        <source>all %1 steps of the test take %2 on average, those compared %3</source>
        <translation>alle %1 Schritte des Testlaufs dauern im Mittel %2, die verglichenen %3</translation>
    </message>
    <message>
        <source>all %1 steps of the baseline take %2 on average, those compared %3</source>
        <translation>alle %1 Schritte des Vergleichslaufs dauern im Mittel %2, die verglichenen %3</translation>
    </message>
    <message>
        <source>one step of its engine</source>
        <translation>einen Schritt seiner Engine</translation>
    </message>
    <message numerus="yes">
        <source>%1 steps, %2 on average,</source>
        <translation>
            <numerusform>%1 Schritt von %2</numerusform>
            <numerusform>%1 Schritte, im Mittel %2,</numerusform>
        </translation>
    </message>
    <message>
        <source> of %1 jobs side by side (a step takes %2)</source>
        <translation> von %1 Jobs nebeneinander (ein Schritt dauert %2)</translation>
    </message>
    <message>
        <source>behind the trace another document begins, as if two recordings were written into one file; the first is shown, the other is not</source>
        <translation>hinter dem Trace beginnt ein weiteres Dokument, als wären zwei Aufzeichnungen in eine Datei geschrieben worden; die erste wird gezeigt, die andere nicht</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have no GPU events that could be read: times on the GPU are not known for them</source>
        <translation>%1 von %2 Rängen haben keine GPU-Ereignisse, die gelesen werden konnten: Für sie sind Zeiten auf der GPU nicht bekannt</translation>
    </message>
    <message numerus="yes">
        <source>Steps %1 are not recorded on %2: they are not judged.</source>
        <translation>
            <numerusform>Schritt %1 ist auf %2 nicht aufgezeichnet: Er wird nicht beurteilt.</numerusform>
            <numerusform>Die Schritte %1 sind auf %2 nicht aufgezeichnet: Sie werden nicht beurteilt.</numerusform>
        </translation>
    </message>
    <message>
        <source>calls that wait for the GPU return before its work ends: its clock is %1 late, and its times were moved back by that</source>
        <translation>Aufrufe, die auf die GPU warten, kehren zurück, bevor deren Arbeit endet: Ihre Uhr geht %1 nach, und ihre Zeiten wurden darum zurückgesetzt</translation>
    </message>
    <message>
        <source>a %1 step of its job</source>
        <translation>einem Schritt seines Jobs von %1</translation>
    </message>
    <message>
        <source>a %1 step of these ranks</source>
        <translation>einem Schritt dieser Ränge von %1</translation>
    </message>
    <message>
        <source>with %1 instead of %2 calls an iteration</source>
        <translation>mit %1 statt %2 Aufrufen je Iteration</translation>
    </message>
    <message>
        <source>Look at the counters of the ranks; move a log of another run elsewhere.</source>
        <translation>Sehen Sie sich die Zähler der Ränge an; verschieben Sie ein Protokoll eines anderen Laufs.</translation>
    </message>
    <message>
        <source>Of steps %1 some or all are not recorded on %2: these steps are not judged.</source>
        <translation>Von den Schritten %1 fehlen einige oder alle (%2): Sie werden nicht beurteilt.</translation>
    </message>
    <message>
        <source>memory snapshots</source>
        <translation>Speicher-Snapshots</translation>
    </message>
    <message>
        <source>Who waits for whom, in which step?</source>
        <translation>Wer wartet auf wen, in welchem Schritt?</translation>
    </message>
    <message>
        <source>What does the critical path of a step run over?</source>
        <translation>Worüber läuft der kritische Pfad eines Schritts?</translation>
    </message>
    <message>
        <source>Memory snapshots of PyTorch beside the traces were joined to ranks; the message says how their rank was told.</source>
        <translation>Speicher-Snapshots von PyTorch neben den Traces wurden Rängen zugeordnet; die Meldung sagt, woran ihr Rang erkannt wurde.</translation>
    </message>
    <message>
        <source>Look at the Memory screen. Name snapshots by rank (rank3.pickle).</source>
        <translation>Sehen Sie die Ansicht Speicher an. Benennen Sie Snapshots nach dem Rang (rank3.pickle).</translation>
    </message>
    <message>
        <source>A memory snapshot cannot be read, or some of its entries cannot.</source>
        <translation>Ein Speicher-Snapshot oder manche seiner Einträge sind nicht lesbar.</translation>
    </message>
    <message>
        <source>Record it again with torch.cuda.memory._dump_snapshot.</source>
        <translation>Zeichnen Sie ihn mit torch.cuda.memory._dump_snapshot neu auf.</translation>
    </message>
    <message>
        <source>A memory snapshot beside the traces is not shown: its rank is not clear, or another one of that rank is shown.</source>
        <translation>Ein Speicher-Snapshot neben den Traces wird nicht gezeigt: Sein Rang ist nicht klar, oder ein anderer dieses Rangs wird gezeigt.</translation>
    </message>
    <message>
        <source>Name snapshots by rank (rank3.pickle), one for each rank.</source>
        <translation>Benennen Sie Snapshots nach dem Rang (rank3.pickle), einen je Rang.</translation>
    </message>
    <message>
        <source>A log of nccl-tests beside the traces is shown as a reference for the bandwidth of collectives.</source>
        <translation>Ein Protokoll von nccl-tests neben den Traces dient als Vergleich für die Bandbreite kollektiver Aufrufe.</translation>
    </message>
    <message>
        <source>Move it elsewhere if it was measured on another machine.</source>
        <translation>Verschieben Sie es, wenn es auf einer anderen Maschine gemessen wurde.</translation>
    </message>
    <message>
        <source>A log of nccl-tests beside the traces has no table that can be read.</source>
        <translation>Ein Protokoll von nccl-tests neben den Traces hat keine lesbare Tabelle.</translation>
    </message>
    <message>
        <source>Write the whole output of the test to the file.</source>
        <translation>Schreiben Sie die ganze Ausgabe des Tests in die Datei.</translation>
    </message>
    <message>
        <source>not known, because no size is recorded</source>
        <translation>nicht bekannt, weil keine Größe aufgezeichnet ist</translation>
    </message>
    <message>
        <source>not known, because all calls are of one size</source>
        <translation>nicht bekannt, weil alle Aufrufe gleich groß sind</translation>
    </message>
    <message>
        <source>not known, because the calls are of two sizes; three are needed</source>
        <translation>nicht bekannt, weil die Aufrufe nur zwei Größen haben; nötig sind drei</translation>
    </message>
    <message>
        <source>not known, because the time does not grow with the size</source>
        <translation>nicht bekannt, weil die Zeit nicht mit der Größe wächst</translation>
    </message>
    <message>
        <source>; %1 leaves %2 % if all stages take equally long, so %3 a step could be saved beside what uneven stages cost</source>
        <translation>; %1 lässt %2 %, wenn alle Stufen gleich lang brauchen, also könnten %3 je Schritt gespart werden, neben dem, was ungleiche Stufen kosten</translation>
    </message>
    <message>
        <source> The cost may be larger: a rank has about %1 % of a GPU&apos;s multiprocessors, and how ranks on one GPU slow each other is not recorded.</source>
        <translation> Die Kosten können höher sein: Ein Rang hat etwa %1 % der Multiprozessoren einer GPU, und wie sehr Ränge einer GPU einander bremsen, ist nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>the finding&apos;s %1 a step is measured against the steps without the fault; this prediction follows the recorded dependencies alone</source>
        <translation>die %1 je Schritt des Befunds sind an den Schritten ohne den Fehler gemessen; diese Vorhersage folgt allein den aufgezeichneten Abhängigkeiten</translation>
    </message>
    <message>
        <source>Rank %1 ran out of memory first: it asked for %2 with %3 free on the GPU. %4 were active, %5 reserved.</source>
        <translation>Rang %1 ging der Speicher zuerst aus: Er verlangte %2, als auf der GPU %3 frei waren. %4 waren belegt, %5 reserviert.</translation>
    </message>
    <message>
        <source>No snapshot records that memory ran out. Rank %1 reserves most, at most %2; at most %3 were active.</source>
        <translation>Kein Snapshot zeichnet auf, dass der Speicher ausging. Rang %1 reserviert am meisten, höchstens %2; höchstens %3 waren belegt.</translation>
    </message>
    <message>
        <source>without a recorded stack</source>
        <translation>ohne aufgezeichneten Stapel</translation>
    </message>
    <message>
        <source>At its peak %1 were active, at the median peer&apos;s %2; no place in the program differs by 1 %.</source>
        <translation>Auf seinem Höchststand waren %1 belegt, beim mittleren Rang %2; keine Stelle im Programm unterscheidet sich um 1 %.</translation>
    </message>
    <message>
        <source>At its peak %1 were active, at the median peer&apos;s %2. The largest difference: %3 (%4; peers: %5).</source>
        <translation>Auf seinem Höchststand waren %1 belegt, beim mittleren Rang %2. Der größte Unterschied: %3 (%4; andere: %5).</translation>
    </message>
    <message>
        <source>most in %1, which only the test has</source>
        <translation>am meisten in %1, das nur der Test hat</translation>
    </message>
    <message>
        <source>most in %1, which only the baseline has</source>
        <translation>am meisten in %1, das nur die Basis hat</translation>
    </message>
    <message>
        <source>%1 in the baseline only, %2 in the test only</source>
        <translation>%1 nur in der Basis, %2 nur im Test</translation>
    </message>
    <message>
        <source>, which may be chance: the 95 % interval of the change is ± %1</source>
        <translation>, was Zufall sein kann: Das 95-%-Intervall der Änderung ist ± %1</translation>
    </message>
    <message numerus="yes">
        <source>GPU work launched in steps %1 of the test is not recorded: they are not compared</source>
        <translation>
            <numerusform>GPU-Arbeit, die in Schritt %1 des Tests gestartet wurde, ist nicht aufgezeichnet: Er wird nicht verglichen</numerusform>
            <numerusform>GPU-Arbeit, die in den Schritten %1 des Tests gestartet wurde, ist nicht aufgezeichnet: Sie werden nicht verglichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>GPU work launched in steps %1 of the baseline is not recorded: they are not compared</source>
        <translation>
            <numerusform>GPU-Arbeit, die in Schritt %1 der Basis gestartet wurde, ist nicht aufgezeichnet: Er wird nicht verglichen</numerusform>
            <numerusform>GPU-Arbeit, die in den Schritten %1 der Basis gestartet wurde, ist nicht aufgezeichnet: Sie werden nicht verglichen</numerusform>
        </translation>
    </message>
    <message>
        <source>not the same work: no kernel and no operator in common</source>
        <translation>nicht dieselbe Arbeit: kein Kernel und kein Operator gemeinsam</translation>
    </message>
    <message>
        <source>rank %1 takes %2 longer than in its other steps %3 (%4), and %5 longer %6</source>
        <translation>Rang %1 braucht %2 länger als in seinen anderen Schritten, und zwar %3 (%4), und %5 länger %6</translation>
    </message>
    <message>
        <source>memory snapshot of PyTorch</source>
        <translation>Speicher-Snapshot von PyTorch</translation>
    </message>
    <message>
        <source>it is a memory snapshot of PyTorch as JSON; write it with torch.cuda.memory._dump_snapshot</source>
        <translation>es ist ein Speicher-Snapshot von PyTorch als JSON; schreiben Sie ihn mit torch.cuda.memory._dump_snapshot</translation>
    </message>
    <message>
        <source>entries of the snapshot that could not be read were left out</source>
        <translation>Einträge des Snapshots, die nicht lesbar waren, wurden ausgelassen</translation>
    </message>
    <message>
        <source>memory snapshots: joined to %1, in the order of their names, which tell no rank</source>
        <translation>Speicher-Snapshots: zugeordnet (%1) in der Reihenfolge ihrer Namen, die keinen Rang nennen</translation>
    </message>
    <message>
        <source>memory snapshots: joined to %1</source>
        <translation>Speicher-Snapshots: zugeordnet (%1)</translation>
    </message>
    <message>
        <source>%1; their times lie more than a day from the traces&apos;: they are shown from the start of the rank</source>
        <translation>%1; ihre Zeiten liegen mehr als einen Tag neben denen der Traces: Sie werden vom Anfang des Rangs an gezeigt</translation>
    </message>
    <message>
        <source>its name tells no rank of the run: it is not shown</source>
        <translation>sein Name nennt keinen Rang des Laufs: Er wird nicht gezeigt</translation>
    </message>
    <message>
        <source>another snapshot of rank %1, whose name comes last, is shown</source>
        <translation>ein anderer Snapshot von Rang %1 wird gezeigt, dessen Name zuletzt kommt</translation>
    </message>
    <message>
        <source>nccl-tests: %1 sizes are shown as a reference</source>
        <translation>nccl-tests: %1 Größen dienen als Vergleich</translation>
    </message>
    <message>
        <source>an entry is written in pieces</source>
        <translation>ein Eintrag ist in Teilen geschrieben</translation>
    </message>
    <message>
        <source>a list holds entries of several kinds</source>
        <translation>eine Liste enthält Einträge mehrerer Arten</translation>
    </message>
    <message>
        <source>a list does not hold the entries that stand in it</source>
        <translation>eine Liste enthält nicht die Einträge, die in ihr stehen</translation>
    </message>
    <message>
        <source>it has no list of segments</source>
        <translation>er hat keine Liste von Segmenten</translation>
    </message>
    <message>
        <source>%1 cannot be read as a memory snapshot: %2</source>
        <translation>%1 ist nicht als Speicher-Snapshot lesbar: %2</translation>
    </message>
    <message>
        <source>neither the log nor its name says which collective was measured</source>
        <translation>weder das Protokoll noch sein Name sagt, welcher kollektive Aufruf gemessen wurde</translation>
    </message>
    <message>
        <source>it has no row of sizes and bandwidths</source>
        <translation>es hat keine Zeile mit Größen und Bandbreiten</translation>
    </message>
    <message>
        <source>%1 is a memory snapshot, of which no digest is made</source>
        <translation>%1 ist ein Speicher-Snapshot; von einem solchen entsteht kein Auszug</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message numerus="yes">
        <source>GPU work launched in steps %1 is not recorded: these steps are not judged.</source>
        <translation>
            <numerusform>GPU-Arbeit, die in Schritt %1 gestartet wurde, ist nicht aufgezeichnet: Der Schritt wird nicht beurteilt.</numerusform>
            <numerusform>GPU-Arbeit, die in den Schritten %1 gestartet wurde, ist nicht aufgezeichnet: Diese Schritte werden nicht beurteilt.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 launches of %2 have no GPU work: what seems to be idle time may be work that is not recorded.</source>
        <translation>%1 Starts (%2) haben keine GPU-Arbeit: Was wie Leerlauf aussieht, kann Arbeit sein, die nicht aufgezeichnet ist.</translation>
    </message>
    <message>
        <source>At the peak of rank %1 most was live from %2: %3 (blocks: %4).</source>
        <translation>Auf dem Höchststand von Rang %1 war am meisten belegt von %2: %3 (Blöcke: %4).</translation>
    </message>
    <message>
        <source>--rank-by %1: more of it is neither better nor worse</source>
        <translation>--rank-by %1: mehr davon ist weder besser noch schlechter</translation>
    </message>
    <message>
        <source>--rank-by %1: no run has it</source>
        <translation>--rank-by %1: kein Lauf hat ihn</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>routing</source>
        <translation>Zuteilung</translation>
    </message>
    <message>
        <source>dispatch</source>
        <translation>Verteilen</translation>
    </message>
    <message>
        <source>combine</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>state space</source>
        <translation>Zustandsraum</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>Rotation</translation>
    </message>
    <message>
        <source>quantisation</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>other communication</source>
        <translation>andere Kommunikation</translation>
    </message>
    <message>
        <source>communication and waits for other ranks</source>
        <translation>Kommunikation und Warten auf andere Ränge</translation>
    </message>
    <message>
        <source>. No recorded call joins them to the other ranks: the cost is theirs alone</source>
        <translation>. Kein aufgezeichneter Aufruf verbindet sie mit den anderen Rängen: Die Kosten sind allein ihre</translation>
    </message>
    <message>
        <source>. No recorded call joins it to other ranks: the cost is its own alone</source>
        <translation>. Kein aufgezeichneter Aufruf verbindet ihn mit anderen Rängen: Die Kosten sind allein seine</translation>
    </message>
    <message>
        <source>it computes %1 times as long as its peers, its %2 kernels %3 times</source>
        <translation>er rechnet %1-mal so lange wie seinesgleichen, mit seinen %2-Kerneln %3-mal</translation>
    </message>
    <message>
        <source>its %1 kernels take %2 times as long as its peers&apos;</source>
        <translation>seine %1-Kernel dauern %2-mal so lange wie bei seinesgleichen</translation>
    </message>
    <message>
        <source>it computes %1 times as long as its peers</source>
        <translation>er rechnet %1-mal so lange wie seinesgleichen</translation>
    </message>
    <message>
        <source>its host pauses for %1 more than its peers&apos;</source>
        <translation>sein Host macht um %1 längere Pausen als der seinesgleichen</translation>
    </message>
    <message>
        <source>the other ranks</source>
        <translation>den anderen Rängen</translation>
    </message>
    <message>
        <source>Operations of one kind take unequally long, most %1 (which makes a step %2 times as long): a step takes %3 times as long as if all of a kind took their mean (straggler_slowdown). No rank stands out.</source>
        <translation>Operationen einer Art dauern ungleich lang, am meisten %1 (wodurch ein Schritt %2-mal so lang ist): Ein Schritt dauert %3-mal so lange, wie wenn alle einer Art so lange wie im Mittel dauerten (straggler_slowdown). Kein Rang sticht heraus.</translation>
    </message>
    <message>
        <source>Its %1 kernels take %2 times as long as its peers&apos;.</source>
        <translation>Seine %1-Kernel dauern %2-mal so lange wie bei seinesgleichen.</translation>
    </message>
    <message>
        <source>By the recorded dependencies that costs %1 of %2.</source>
        <translation>Nach den aufgezeichneten Abhängigkeiten kostet das %1 von %2.</translation>
    </message>
    <message>
        <source>By the fact itself it is at most %1.</source>
        <translation>Nach der Tatsache selbst sind es höchstens %1.</translation>
    </message>
    <message>
        <source>The fact allows %1 and more, because computation of its peers is slower beside communication that waits for it.</source>
        <translation>Die Tatsache lässt %1 und mehr zu, weil seinesgleichen neben Kommunikation, die auf ihn wartet, langsamer rechnet.</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take longer than before, but by less than the others: %2</source>
        <translation>
            <numerusform>Rang %1 braucht länger als zuvor, aber um weniger als die anderen: %2</numerusform>
            <numerusform>Die Ränge %1 brauchen länger als zuvor, aber um weniger als die anderen: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take less than before, but by less than the others: %2</source>
        <translation>
            <numerusform>Rang %1 braucht weniger als zuvor, aber um weniger als die anderen: %2</numerusform>
            <numerusform>Die Ränge %1 brauchen weniger als zuvor, aber um weniger als die anderen: %2</numerusform>
        </translation>
    </message>
    <message>
        <source>an %1 step</source>
        <translation>einem Schritt von %1</translation>
    </message>
    <message>
        <source>an %1 step of its job</source>
        <translation>einem Schritt seines Jobs von %1</translation>
    </message>
    <message>
        <source>an %1 step of these ranks</source>
        <translation>einem Schritt dieser Ränge von %1</translation>
    </message>
    <message>
        <source>, but </source>
        <translation>, aber </translation>
    </message>
    <message>
        <source>on %1; the others changed the other way</source>
        <translation>bei %1; die anderen änderten sich in die andere Richtung</translation>
    </message>
    <message>
        <source>on %1, the other way on %2</source>
        <translation>bei %1, in die andere Richtung bei %2</translation>
    </message>
    <message>
        <source>it has more than %1 rows, or more than %2 GPUs</source>
        <translation>es hat mehr als %1 Zeilen oder mehr als %2 GPUs</translation>
    </message>
    <message>
        <source>not read: the logs before it have %1 rows</source>
        <translation>nicht gelesen: Die Protokolle davor haben %1 Zeilen</translation>
    </message>
    <message>
        <source>an event is of two devices</source>
        <translation>ein Ereignis gehört zu zwei Geräten</translation>
    </message>
    <message>
        <source>%1, or all: rankscope study %2</source>
        <translation>%1, oder alle: rankscope study %2</translation>
    </message>
    <message>
        <source> Where it is recorded, step %1 takes %2.</source>
        <translation> Wo er aufgenommen ist, dauert Schritt %1 %2.</translation>
    </message>
    <message>
        <source>Python stacks are recorded. They slow the host, so that the GPU waits for it longer than without them.</source>
        <translation>Python-Stacks sind aufgezeichnet. Sie bremsen den Host, sodass die GPU länger auf ihn wartet als ohne sie.</translation>
    </message>
    <message>
        <source>Tokens of steps that verify drafts are counted by a mean acceptance length of %1 tokens per request and step, the bonus token included (%2).</source>
        <translation>Token von Schritten, die Entwürfe prüfen, sind nach einer mittleren Akzeptanzlänge von %1 Token je Anfrage und Schritt gezählt, das Bonus-Token eingeschlossen (%2).</translation>
    </message>
    <message>
        <source>How many drafts are accepted is not known, so that generated tokens are not counted: give the mean acceptance length in the workload card (%1).</source>
        <translation>Wie viele Entwürfe angenommen werden, ist nicht bekannt, deshalb sind erzeugte Token nicht gezählt: die mittlere Akzeptanzlänge in der Workload Card angeben (%1).</translation>
    </message>
    <message>
        <source>in no range of the engine</source>
        <translation>in keinem Bereich der Engine</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>FLOPs of matrix multiplications, convolutions and attention by their recorded shapes, over the GPU time they took. Details: every modelled operator with FLOPs, bytes, TFLOP/s, TB/s, and which of the device&apos;s limits it is nearer to; how many take less time than that limit allows, so that they did less than their shapes say.</source>
        <translation>FLOPs von Matrixmultiplikationen, Faltungen und Attention nach ihren aufgezeichneten Shapes, durch die GPU-Zeit, die sie brauchten. Einzelheiten: jeder Operator mit Modell mit FLOPs, Bytes, TFLOP/s, TB/s, und welcher Grenze des Geräts er näher ist; wie viele weniger Zeit brauchen, als diese Grenze erlaubt, also weniger taten, als ihre Shapes sagen.</translation>
    </message>
    <message>
        <source>; it slows the computation beside it, which costs %1</source>
        <translation>; sie bremst die Rechenarbeit neben ihr, das kostet %1</translation>
    </message>
    <message>
        <source>; overlap alone saves at most %1</source>
        <translation>; Überlappung allein spart höchstens %1</translation>
    </message>
    <message>
        <source>%1 of %2 on average</source>
        <translation>%1 von %2 im Mittel</translation>
    </message>
    <message>
        <source>most in %1 kernels (%2 -&gt; %3), some of which only one run has</source>
        <translation>am meisten in %1-Kernels (%2 -&gt; %3), von denen manche nur ein Lauf hat</translation>
    </message>
    <message>
        <source>What the replay leaves out of a step is more than that, so that it does not tell who the straggler is.</source>
        <translation>Was das Durchspielen von einem Schritt weglässt, ist mehr als das; darum sagt es nicht, wer der Nachzügler ist.</translation>
    </message>
    <message>
        <source>no other rank does the same work as rank %1: nothing changes</source>
        <translation>kein anderer Rang tut dieselbe Arbeit wie Rang %1: nichts ändert sich</translation>
    </message>
    <message>
        <source>rank %1 takes %2 longer than in its other steps %3 (%4), and in the test %5 longer %6</source>
        <translation>Rang %1 braucht %3 %2 länger als in seinen anderen Schritten (%4), und im Test %6 %5 länger</translation>
    </message>
    <message>
        <source>Tokens of the busiest expert over the mean, from gating logs; without them, of the busiest expert-parallel rank, from the split sizes of all-to-alls; without these, what the experts&apos; kernels of the busiest rank take over the mean of the ranks, which is less uneven than the tokens are.</source>
        <translation>Token des meistbeschäftigten Experten über dem Mittel, aus den Gating-Protokollen; ohne sie des meistbeschäftigten expertenparallelen Rangs, aus den Teilgrößen der All-to-Alls; ohne diese, was die Kernels der Experten des meistbeschäftigten Rangs brauchen, über dem Mittel der Ränge, was weniger ungleich ist als die Token.</translation>
    </message>
    <message>
        <source>GPU work starts inside the work before it in its stream, by more than a launch that runs ahead explains. A stream runs one after the other: the recorder&apos;s times are wrong, or it gave several streams one number.</source>
        <translation>GPU-Arbeit beginnt innerhalb der Arbeit vor ihr im selben Stream, um mehr, als ein vorauseilender Start erklärt. Ein Stream arbeitet eins nach dem anderen ab: Die Zeiten des Rekorders stimmen nicht, oder er gab mehreren Streams eine Nummer.</translation>
    </message>
    <message>
        <source>Record with a newer profiler; which of that work waited for which is not known.</source>
        <translation>Mit einem neueren Profiler aufzeichnen; was von dieser Arbeit worauf wartete, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>; Python stacks were recorded, which slows the host</source>
        <translation>; Python-Stacks wurden aufgezeichnet, das bremst den Host</translation>
    </message>
    <message>
        <source>mostly on %1</source>
        <translation>meist auf %1</translation>
    </message>
    <message>
        <source>; %1 did not come, whether %2 came is not known.</source>
        <translation>; %1 kam nicht; ob %2 kam, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The clocks of the ranks differ and were aligned by their calls, that of rank %1 by %2.</source>
        <translation>Die Uhren der Ränge gehen verschieden und wurden nach ihren Aufrufen gestellt, die von Rang %1 um %2.</translation>
    </message>
    <message>
        <source>; the batches differ, and at equal batch size it takes as long as before (%1)</source>
        <translation>; die Batches sind verschieden groß, und bei gleicher Batchgröße dauert es so lange wie vorher (%1)</translation>
    </message>
    <message>
        <source>; the batches differ, and at equal batch size it takes longer (%1)</source>
        <translation>; die Batches sind verschieden groß, und bei gleicher Batchgröße dauert es länger (%1)</translation>
    </message>
    <message>
        <source>; the batches differ, and at equal batch size it takes less (%1)</source>
        <translation>; die Batches sind verschieden groß, und bei gleicher Batchgröße dauert es kürzer (%1)</translation>
    </message>
    <message>
        <source>%1 at equal batch size (all steps: %2 -&gt; %3)</source>
        <translation>%1 bei gleicher Batchgröße (alle Schritte: %2 -&gt; %3)</translation>
    </message>
    <message>
        <source>%1 (changes at equal batch size)</source>
        <translation>%1 (Änderungen bei gleicher Batchgröße)</translation>
    </message>
    <message>
        <source>what steps take at equal batch size is not known, because fewer than %1 steps of each run have a counterpart of equal size</source>
        <translation>was Schritte bei gleicher Batchgröße brauchen, ist nicht bekannt, weil weniger als %1 Schritte jedes Laufs ein Gegenstück gleicher Größe haben</translation>
    </message>
    <message>
        <source>what steps take at equal batch size is not known, because only %1 % of the time is of sizes that both runs have</source>
        <translation>wie lange Schritte bei gleicher Batchgröße dauern, ist nicht bekannt, weil nur %1 % der Zeit auf Größen entfallen, die beide Läufe haben</translation>
    </message>
    <message>
        <source>A rank runs kernels or makes copies that its peers do not, or more of them.</source>
        <translation>Ein Rang führt Kernel oder Kopien aus, die seinesgleichen nicht haben, oder mehr davon.</translation>
    </message>
    <message>
        <source>Between the marks of two steps %1 pass on average, which no step counts</source>
        <translation>Zwischen den Marken zweier Schritte vergehen im Mittel %1, die kein Schritt zählt</translation>
    </message>
    <message>
        <source>The GPU waits for the host, which is mostly inside %1: %2 would be saved if it took no time</source>
        <translation>Die GPU wartet auf den Host, der meist in %1 ist: %2 wären gespart, wenn er keine Zeit brauchte</translation>
    </message>
    <message>
        <source>The GPU waits for the host, which does many things then, the longest inside %1: %2 would be saved if it took no time</source>
        <translation>Die GPU wartet auf den Host, der dann vieles tut, am längsten in %1: %2 wären gespart, wenn er keine Zeit brauchte</translation>
    </message>
    <message>
        <source>it makes more copies than its peers: %1</source>
        <translation>er führt mehr Kopien aus als seinesgleichen: %1</translation>
    </message>
    <message>
        <source>it runs more kernels than its peers: %1</source>
        <translation>er führt mehr Kernel aus als seinesgleichen: %1</translation>
    </message>
    <message>
        <source>, where it also makes more copies than its peers</source>
        <translation>, wo er auch mehr Kopien ausführt als seinesgleichen</translation>
    </message>
    <message>
        <source>, where it also runs more kernels than its peers</source>
        <translation>, wo er auch mehr Kernel ausführt als seinesgleichen</translation>
    </message>
    <message>
        <source>Messages between stages take %1 a step on each rank that has them, once all had come, and hold the step up</source>
        <translation>Nachrichten zwischen Stufen dauern auf jedem Rang, der welche hat, %1 je Schritt, sobald alle da sind, und halten den Schritt auf</translation>
    </message>
    <message>
        <source>Operations %1 take %2 a step on each rank that has them, once all had come, and hold the step up</source>
        <translation>Operationen %1 dauern auf jedem Rang, der welche hat, %2 je Schritt, sobald alle da sind, und halten den Schritt auf</translation>
    </message>
    <message>
        <source>%1 of %2 transfers of %3 take no longer than the median of other groups&apos; of the same kind and size on the same way</source>
        <translation>%1 von %2 Übertragungen von %3 dauern nicht länger als der Median der anderen Gruppen bei gleicher Art und Größe auf gleichem Weg</translation>
    </message>
    <message>
        <source>The snapshot of rank %1 does not record that memory ran out. At most %2 were reserved, at most %3 active.</source>
        <translation>Der Schnappschuss von Rang %1 hält nicht fest, dass der Speicher ausging. Höchstens %2 waren reserviert, höchstens %3 aktiv.</translation>
    </message>
    <message>
        <source>between the marks of two steps %1 -&gt; %2 pass, which no step counts</source>
        <translation>zwischen den Marken zweier Schritte vergehen %1 -&gt; %2, die kein Schritt zählt</translation>
    </message>
    <message>
        <source>what was recorded of the test ends early: what it takes is not known</source>
        <translation>was vom Test aufgezeichnet wurde, endet vorzeitig: Was er braucht, ist nicht bekannt</translation>
    </message>
    <message>
        <source>what was recorded of the baseline ends early: what it takes is not known</source>
        <translation>was von der Baseline aufgezeichnet wurde, endet vorzeitig: Was sie braucht, ist nicht bekannt</translation>
    </message>
    <message numerus="yes">
        <source>%1 steps begun</source>
        <translation>
            <numerusform>%1 angefangener Schritt</numerusform>
            <numerusform>%1 angefangene Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (not measured alike)</source>
        <translation>%1 (nicht gleich gemessen)</translation>
    </message>
    <message>
        <source>needs traces of two ranks that call the same collectives</source>
        <translation>braucht Traces von zwei Rängen, die dieselben Kollektive aufrufen</translation>
    </message>
    <message>
        <source>what was recorded ends early: what a step takes is not known</source>
        <translation>was aufgezeichnet wurde, endet vorzeitig: Was ein Schritt braucht, ist nicht bekannt</translation>
    </message>
    <message>
        <source>GPU work starts inside the work before it in its stream, by up to %1</source>
        <translation>GPU-Arbeit beginnt innerhalb der Arbeit vor ihr im selben Stream, um bis zu %1</translation>
    </message>
    <message>
        <source>The job is %1 % slower than if each operation took the mean of its type over all workers, slow ones included: %2 instead of %3 a step.</source>
        <translation>Der Job ist %1 % langsamer, als wenn jede Operation das Mittel ihrer Art über alle Worker bräuchte, langsame eingeschlossen: %2 statt %3 je Schritt.</translation>
    </message>
    <message>
        <source>communication of %1</source>
        <translation>Kommunikation von %1</translation>
    </message>
    <message>
        <source>%1 reaches %2 of %3 GB/s</source>
        <translation>%1 erreicht %2 von %3 GB/s</translation>
    </message>
    <message>
        <source>%1 is slow</source>
        <translation>%1 ist langsam</translation>
    </message>
    <message>
        <source>%1 takes up to %2× as long</source>
        <translation>%1 dauert bis zu %2× so lange</translation>
    </message>
    <message>
        <source>makes copies beyond those of peers</source>
        <translation>macht Kopien, die seinesgleichen nicht macht</translation>
    </message>
    <message>
        <source>runs kernels beyond those of peers</source>
        <translation>führt Kernel aus, die seinesgleichen nicht hat</translation>
    </message>
    <message>
        <source>allocates GPU memory where peers do not</source>
        <translation>belegt GPU-Speicher, wo seinesgleichen es nicht tut</translation>
    </message>
    <message>
        <source>operations take up to %1× as long as peers&apos;</source>
        <translation>Operationen dauern bis zu %1× so lange wie bei seinesgleichen</translation>
    </message>
    <message>
        <source>waits longer for data than peers</source>
        <translation>wartet länger auf Daten als seinesgleichen</translation>
    </message>
    <message>
        <source>Python collects garbage</source>
        <translation>Python sammelt Speicher ein</translation>
    </message>
    <message>
        <source>the host launches later than peers&apos;</source>
        <translation>der Host startet Arbeit später als der von seinesgleichen</translation>
    </message>
    <message>
        <source>the first step starts %1 after peers&apos;</source>
        <translation>der erste Schritt beginnt %1 nach dem von seinesgleichen</translation>
    </message>
    <message>
        <source>the same copies take longer than peers&apos;</source>
        <translation>dieselben Kopien dauern länger als bei seinesgleichen</translation>
    </message>
    <message>
        <source>the same kernels take longer than peers&apos;</source>
        <translation>dieselben Kernel dauern länger als bei seinesgleichen</translation>
    </message>
    <message>
        <source>%1 kernels take %2× as long as peers&apos;</source>
        <translation>Kernel der Art %1 dauern %2× so lange wie bei seinesgleichen</translation>
    </message>
    <message>
        <source>the host waits for the GPU where peers&apos; do not</source>
        <translation>der Host wartet auf die GPU, wo der von seinesgleichen es nicht tut</translation>
    </message>
    <message>
        <source>a step takes %1 instead of %2</source>
        <translation>ein Schritt dauert %1 statt %2</translation>
    </message>
    <message>
        <source>steps grow from %1 to %2</source>
        <translation>Schritte werden länger, von %1 auf %2</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>alle Ränge</translation>
    </message>
    <message>
        <source>the clock jumps by %1</source>
        <translation>die Uhr springt um %1</translation>
    </message>
    <message>
        <source>the clocks of the ranks do not fit</source>
        <translation>die Uhren der Ränge passen nicht zusammen</translation>
    </message>
    <message>
        <source>the GPU waits for data</source>
        <translation>die GPU wartet auf Daten</translation>
    </message>
    <message>
        <source>the engine does nothing between steps, for up to %1</source>
        <translation>die Engine tut zwischen Schritten nichts, bis zu %1 lang</translation>
    </message>
    <message>
        <source>the busiest experts get %1× the mean tokens</source>
        <translation>die Experten mit den meisten Token bekommen das %1-Fache des Mittels</translation>
    </message>
    <message>
        <source>exposed copies</source>
        <translation>unverdeckte Kopien</translation>
    </message>
    <message>
        <source>the first step takes %1 longer than the later ones</source>
        <translation>der erste Schritt dauert %1 länger als die späteren</translation>
    </message>
    <message>
        <source>first use of a library or a kernel</source>
        <translation>erste Benutzung einer Bibliothek oder eines Kernels</translation>
    </message>
    <message>
        <source>the GPU does nothing, and no other finding says why</source>
        <translation>die GPU tut nichts, und kein anderer Befund sagt, warum</translation>
    </message>
    <message>
        <source>the GPU waits for the host</source>
        <translation>die GPU wartet auf den Host</translation>
    </message>
    <message>
        <source>the GPU waits for the host, mostly in %1</source>
        <translation>die GPU wartet auf den Host, meist in %1</translation>
    </message>
    <message>
        <source>the host pauses</source>
        <translation>der Host macht Pausen</translation>
    </message>
    <message>
        <source>operations start later than they could</source>
        <translation>Operationen beginnen später, als sie könnten</translation>
    </message>
    <message>
        <source>computation differs between microbatches</source>
        <translation>das Rechnen dauert je Mikrobatch verschieden lang</translation>
    </message>
    <message>
        <source>stage %1 computes %2× as long as the mean stage</source>
        <translation>Stufe %1 rechnet %2× so lange wie die mittlere Stufe</translation>
    </message>
    <message>
        <source>computation takes longer now on one rank, now on another</source>
        <translation>das Rechnen dauert bald auf einem, bald auf einem anderen Rang länger</translation>
    </message>
    <message>
        <source>all the rest</source>
        <translation>alles andere</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis zu %1</translation>
    </message>
    <message>
        <source>the other ranks wait for it</source>
        <translation>die anderen Ränge warten auf ihn</translation>
    </message>
    <message>
        <source>comes last at %1 of %2 calls</source>
        <translation>kommt bei %1 von %2 Aufrufen als Letzter</translation>
    </message>
    <message>
        <source>Other findings hide it. Cost once they are dealt with: %1.</source>
        <translation>Andere Befunde verdecken es. Kosten, wenn sie behoben sind: %1.</translation>
    </message>
    <message>
        <source>Cost: %1.</source>
        <translation>Kosten: %1.</translation>
    </message>
    <message>
        <source>Cost once the faults are fixed: %1.</source>
        <translation>Kosten, sobald die Fehler behoben sind: %1.</translation>
    </message>
    <message>
        <source>Cost once the other findings are dealt with: %1.</source>
        <translation>Kosten, sobald die anderen Befunde behoben sind: %1.</translation>
    </message>
    <message>
        <source>nothing of %1 alone explains the lateness: what that costs is not in this prediction</source>
        <translation>nichts an %1 allein erklärt die Verspätung: Was sie kostet, ist nicht in dieser Vorhersage</translation>
    </message>
    <message>
        <source>GPU work of one launch stands in the file twice, with the same times on the same stream: the file was written twice, or joined from two recordings that overlap. Events that repeat another one exactly count once.</source>
        <translation>GPU-Arbeit eines Starts steht zweimal in der Datei, mit denselben Zeiten auf demselben Stream: Die Datei wurde doppelt geschrieben oder aus zwei Aufzeichnungen zusammengefügt, die sich überschneiden. Ereignisse, die ein anderes genau wiederholen, zählen einmal.</translation>
    </message>
    <message numerus="yes">
        <source>Steps %1 take %2 on average, the median step with the same work %3</source>
        <translation>
            <numerusform>Schritt %1 dauert %2, der mittlere Schritt mit derselben Arbeit %3</numerusform>
            <numerusform>Die Schritte %1 dauern im Mittel %2, der mittlere Schritt mit derselben Arbeit %3</numerusform>
        </translation>
    </message>
    <message>
        <source>events stand in the file a second time; each counts once</source>
        <translation>Ereignisse stehen ein zweites Mal in der Datei; jedes zählt einmal</translation>
    </message>
    <message>
        <source>%3 pass between the marks of steps %1 and %2, which no step counts</source>
        <translation>%3 vergehen zwischen den Marken der Schritte %1 und %2; kein Schritt zählt sie</translation>
    </message>
    <message>
        <source>Write each recording to a file of its own; numbers are right as they are.</source>
        <translation>Jede Aufzeichnung in eine eigene Datei schreiben; die Zahlen stimmen so, wie sie sind.</translation>
    </message>
    <message>
        <source>Which phase of the engine the GPU waits for is not known, because the engine recorded no ranges of that time; in which calls the host was, the Overview says. Only for vLLM: VLLM_CUSTOM_SCOPES_FOR_PROFILING=1 records them.</source>
        <translation>Auf welchen Abschnitt der Engine die GPU wartet, ist nicht bekannt, denn die Engine hat keine Bereiche aus dieser Zeit aufgezeichnet; in welchen Aufrufen der Host war, sagt die Übersicht. Nur bei vLLM: VLLM_CUSTOM_SCOPES_FOR_PROFILING=1 zeichnet sie auf.</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>mindestens</translation>
    </message>
    <message>
        <source>Of a cost: some communication is with ranks that are not traced or not known.</source>
        <translation>Von Kosten: Ein Teil der Kommunikation geht zu Rängen, die nicht aufgezeichnet oder nicht bekannt sind.</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>Of a cost: what is recorded allows no more, or nothing could be replayed.</source>
        <translation>Von Kosten: Die Aufzeichnung lässt nicht mehr zu, oder es konnte nichts nachgespielt werden.</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Blase</translation>
    </message>
    <message>
        <source>Time in which a stage of a pipeline has no microbatch to work on.</source>
        <translation>Zeit, in der eine Stufe der Pipeline keinen Mikrobatch zu bearbeiten hat.</translation>
    </message>
    <message>
        <source>collective call</source>
        <translation>kollektiver Aufruf</translation>
    </message>
    <message>
        <source>One all-reduce, all-gather or the like, in which all ranks of a group take part.</source>
        <translation>Ein All-Reduce, All-Gather oder Ähnliches, an dem alle Ränge einer Gruppe teilnehmen.</translation>
    </message>
    <message>
        <source>Kernels that compute, and memory sets. Communication and copies beside them count as hidden.</source>
        <translation>Rechnende Kernel und das Setzen von Speicher. Kommunikation und Kopien daneben gelten als verdeckt.</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>How sure a finding is. Below one half the sentence says that it may be chance.</source>
        <translation>Wie sicher ein Befund ist. Unter der Hälfte sagt der Satz, dass es Zufall sein kann.</translation>
    </message>
    <message>
        <source>Memory copies on the GPU that neither computation nor communication hides.</source>
        <translation>Speicherkopien auf der GPU, die weder Rechnen noch Kommunikation verdeckt.</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>How much shorter a step would be without the cause, by a replay of the recording.</source>
        <translation>Um wie viel ein Schritt ohne die Ursache kürzer wäre: So ergibt es ein Nachspielen der Aufzeichnung.</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>kritischer Pfad</translation>
    </message>
    <message>
        <source>What a step waited for, from its last event back to its start. It fills the step.</source>
        <translation>Worauf ein Schritt gewartet hat, von seinem letzten Ereignis zurück bis zu seinem Anfang. Er füllt den Schritt.</translation>
    </message>
    <message>
        <source>dimension</source>
        <translation>Dimension</translation>
    </message>
    <message>
        <source>How a group of ranks shares the job: by data (dp), tensor (tp), pipeline (pp), experts (ep) or context (cp).</source>
        <translation>Wie eine Gruppe von Rängen sich die Arbeit teilt: nach Daten (dp), Tensoren (tp), Pipeline (pp), Experten (ep) oder Kontext (cp).</translation>
    </message>
    <message>
        <source>Communication that no computation hides, from when its last rank has come.</source>
        <translation>Kommunikation, die kein Rechnen verdeckt, ab der Ankunft ihres letzten Rangs.</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>A cause that an equal run would not have: a slow rank, a slow link, a host that stalls.</source>
        <translation>Eine Ursache, die ein gleicher Lauf nicht hätte: ein langsamer Rang, eine langsame Verbindung, ein Host, der stockt.</translation>
    </message>
    <message>
        <source>first use</source>
        <translation>erste Benutzung</translation>
    </message>
    <message>
        <source>A library is loaded at the first call of it. It happens once, and is no fault.</source>
        <translation>Eine Bibliothek wird bei ihrem ersten Aufruf geladen. Das geschieht einmal und ist kein Fehler.</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>The ranks that make collective calls together: a communicator.</source>
        <translation>Die Ränge, die gemeinsam kollektive Aufrufe machen: ein Kommunikator.</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verdeckt</translation>
    </message>
    <message>
        <source>A finding that costs nothing yet: another one holds the step up anyway. It costs once that one is mended.</source>
        <translation>Ein Befund, der noch nichts kostet: Ein anderer hält den Schritt ohnehin auf. Er kostet, sobald dieser behoben ist.</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>Nothing runs on the GPU, between its first and its last work.</source>
        <translation>Auf der GPU läuft nichts, zwischen ihrer ersten und ihrer letzten Arbeit.</translation>
    </message>
    <message>
        <source>inherent</source>
        <translation>bauartbedingt</translation>
    </message>
    <message>
        <source>A cost of what the program is made of: no fault of a rank, a link or the host.</source>
        <translation>Kosten dessen, woraus das Programm besteht: kein Fehler eines Rangs, einer Verbindung oder des Hosts.</translation>
    </message>
    <message>
        <source>The GPU has nothing to do, and its next work was launched but had not started.</source>
        <translation>Die GPU hat nichts zu tun, und der Launch ihrer nächsten Arbeit war gemacht, sie hatte aber nicht begonnen.</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Ranks that share a host, where the recording proves which do.</source>
        <translation>Ränge, die sich einen Host teilen, wo die Aufzeichnung das belegt.</translation>
    </message>
    <message>
        <source>microbatch</source>
        <translation>Mikrobatch</translation>
    </message>
    <message>
        <source>A part of the batch. A pipeline works on several of them one after the other.</source>
        <translation>Ein Teil des Batches. Eine Pipeline bearbeitet mehrere davon nacheinander.</translation>
    </message>
    <message>
        <source>The GPU has nothing to do, and no launch or other event of the host is recorded that says why.</source>
        <translation>Die GPU hat nichts zu tun, und kein aufgezeichneter Start und kein anderes Ereignis des Hosts sagt, warum.</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>The share of communication that computation hides.</source>
        <translation>Der Anteil der Kommunikation, den Rechnen verdeckt.</translation>
    </message>
    <message>
        <source>peers</source>
        <translation>seinesgleichen</translation>
    </message>
    <message>
        <source>The ranks that do the same work as a rank: those of its pipeline stage, or all.</source>
        <translation>Die Ränge mit derselben Arbeit wie ein Rang: die seiner Pipelinestufe, oder alle.</translation>
    </message>
    <message>
        <source>prefill, decode</source>
        <translation>Prefill, Decode</translation>
    </message>
    <message>
        <source>A serving engine reads the prompt of a request in prefill steps, and makes one token after the other in decode steps.</source>
        <translation>Eine Serving-Engine liest den Prompt einer Anfrage in Prefill-Schritten und erzeugt in Decode-Schritten ein Token nach dem anderen.</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>One process of the job with its GPU.</source>
        <translation>Ein Prozess des Auftrags mit seiner GPU.</translation>
    </message>
    <message>
        <source>repetition</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>Where steps are not marked: what the GPU does again and again, counted from 1.</source>
        <translation>Wo Schritte nicht markiert sind: was die GPU immer wieder tut, ab 1 gezählt.</translation>
    </message>
    <message>
        <source>skew</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>How far apart the ranks of a call arrive. The first one waits that long.</source>
        <translation>Wie weit auseinander die Ränge eines Aufrufs ankommen. Der erste wartet so lange.</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>One iteration of training, or one step of a serving engine, as the profiler marks it. With its GPU work, which may end after the mark.</source>
        <translation>Eine Iteration des Trainings oder ein Schritt einer Serving-Engine, wie der Profiler sie markiert. Mit ihrer GPU-Arbeit, die nach der Marke enden kann.</translation>
    </message>
    <message>
        <source>straggler</source>
        <translation>Nachzügler</translation>
    </message>
    <message>
        <source>A rank that comes late to collective calls, so that others wait for it.</source>
        <translation>Ein Rang, der zu kollektiven Aufrufen zu spät kommt, sodass andere auf ihn warten.</translation>
    </message>
    <message>
        <source>A collective call runs, nothing computes, and its last rank has not come yet.</source>
        <translation>Ein kollektiver Aufruf läuft, nichts rechnet, und sein letzter Rang ist noch nicht da.</translation>
    </message>
    <message>
        <source>The GPU has nothing to do, its next work is not launched, and the host is in a recorded event.</source>
        <translation>Die GPU hat nichts zu tun, ihre nächste Arbeit ist nicht gestartet, und der Host ist in einem aufgezeichneten Ereignis.</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>The recording replayed with changed times: what a step would take then.</source>
        <translation>Die Aufzeichnung mit geänderten Zeiten nachgespielt: was ein Schritt dann dauern würde.</translation>
    </message>
    <message>
        <source>FLOPs the model needs for the tokens of a step, over the step&apos;s time and the peak dense throughput of all devices; of a slice of a GPU, that of its multiprocessors. Without a workload card: FLOPs of the matrix operators seen, recorded or by shape, over the time from first to last GPU event whose launch is in the trace, without the time in which the GPU works off what was queued before the recording; no value if those of less than nine tenths of the GPU time of matrix work are known.</source>
        <translation>FLOPs, die das Modell für die Token eines Schritts braucht, geteilt durch die Zeit des Schritts und den dichten Spitzendurchsatz aller Geräte; von einem Teil einer GPU den seiner Multiprozessoren. Ohne Workload-Karte: FLOPs der gesehenen Matrixoperatoren, aufgezeichnet oder aus Formen, über die Zeit vom ersten bis zum letzten GPU-Ereignis, dessen Start im Trace ist, ohne die Zeit, in der die GPU abarbeitet, was vor der Aufzeichnung eingereiht wurde; kein Wert, wenn weniger als neun Zehntel der GPU-Zeit der Matrixarbeit bekannte FLOPs haben.</translation>
    </message>
    <message>
        <source>waits %1 longer for data than peers</source>
        <translation>wartet %1 länger auf Daten als seinesgleichen</translation>
    </message>
    <message>
        <source>the host takes %1 longer between launches than peers&apos;</source>
        <translation>der Host braucht zwischen Starts %1 länger als der von seinesgleichen</translation>
    </message>
    <message>
        <source>the same copies take %1 longer than peers&apos;</source>
        <translation>dieselben Kopien dauern %1 länger als die von seinesgleichen</translation>
    </message>
    <message>
        <source>the host allocates or frees GPU memory</source>
        <translation>der Host belegt oder gibt GPU-Speicher frei</translation>
    </message>
    <message>
        <source>hosts wait for their GPUs, and then launch too late</source>
        <translation>Hosts warten auf ihre GPUs und starten dann zu spät</translation>
    </message>
    <message>
        <source>The host allocates or frees GPU memory: %1 beside the first uses, the longest %2 %3 of that</source>
        <translation>Der Host belegt oder gibt GPU-Speicher frei: %1 neben den ersten Benutzungen, das längste %2 davon %3</translation>
    </message>
    <message>
        <source> of %1 to %2 requests</source>
        <translation> mit %1 bis %2 Anfragen</translation>
    </message>
    <message>
        <source>%1 %2 -&gt; %3</source>
        <translation>%1 %2 -&gt; %3</translation>
    </message>
    <message>
        <source>GPU %1 -&gt; %2</source>
        <translation>GPU %1 -&gt; %2</translation>
    </message>
    <message>
        <source>%1; or FLOPs of the operators, which are known of %2 % of the time of matrix work only: record with with_flops=True or record_shapes=True, and without torch.compile</source>
        <translation>%1; oder FLOPs der Operatoren, die nur für %2 % der Zeit der Matrixarbeit bekannt sind: mit with_flops=True oder record_shapes=True und ohne torch.compile aufzeichnen</translation>
    </message>
    <message>
        <source>Stragglers cost %1 % of the time, which is %2 when it is replayed.</source>
        <translation>Nachzügler kosten %1 % der Zeit, die nachgespielt %2 beträgt.</translation>
    </message>
    <message>
        <source>; one of its %1 calls lasts %2</source>
        <translation>; einer ihrer %1 Aufrufe dauert %2</translation>
    </message>
    <message>
        <source>; one call of %1 covers %2 of that time</source>
        <translation>; ein Aufruf von %1 nimmt %2 dieser Zeit ein</translation>
    </message>
    <message>
        <source>how long requests wait at equal batch size is not known, because only %1 % of the time is of waits with the same steps in both runs</source>
        <translation>wie lange Anfragen bei gleicher Batchgröße warten, ist nicht bekannt, weil nur %1 % der Zeit auf Warten mit denselben Schritten in beiden Läufen entfällt</translation>
    </message>
    <message>
        <source>no step that is whole</source>
        <translation>kein ganzer Schritt</translation>
    </message>
    <message>
        <source>no iteration lies whole in the selection on all ranks</source>
        <translation>keine Iteration liegt auf allen Rängen ganz in der Auswahl</translation>
    </message>
    <message>
        <source>A step takes %1; no GPU work is recorded in it</source>
        <translation>Ein Schritt dauert %1; in ihm ist keine GPU-Arbeit aufgezeichnet</translation>
    </message>
    <message>
        <source>an %1 step (mean of the jobs)</source>
        <translation>einem Schritt von %1 (Mittel der Jobs)</translation>
    </message>
    <message>
        <source>a %1 step (mean of the jobs)</source>
        <translation>einem Schritt von %1 (Mittel der Jobs)</translation>
    </message>
    <message>
        <source>%1 with sizes that differ by rank</source>
        <translation>%1 mit Größen, die je Rang verschieden sind</translation>
    </message>
    <message>
        <source> If it counts messages, each rank may wait in another one.</source>
        <translation> Wenn er Nachrichten zählt, wartet vielleicht jeder Rang in einer anderen.</translation>
    </message>
    <message>
        <source>call or message %1 of %2</source>
        <translation>Aufruf oder Nachricht %1 von %2</translation>
    </message>
    <message>
        <source>Share of the GPU&apos;s idle time, in which none of its streams works, in which the next work was not launched yet (host_wait), over all ranks. A call that takes longer than the usual launch does something else before, such as loading code. In the rest it was launched and had not started: kernel_wait when that takes under 30 us, else other, which also holds idle time before work without a launch in the trace. Idle time of single streams, also while others work, is in per_stream; HTA&apos;s, in compat_hta_default, takes the whole gap of a stream when the launch comes after its start.</source>
        <translation>Anteil der Leerlaufzeit der GPU, in der keiner ihrer Streams arbeitet, in dem die nächste Arbeit noch nicht gestartet war (host_wait), über alle Ränge. Ein Aufruf, der länger dauert als der übliche Start, tut vorher anderes, etwa Code laden. Im Rest war sie gestartet und hatte nicht begonnen: kernel_wait, wenn das unter 30 us dauert, sonst other, das auch den Leerlauf vor Arbeit ohne Start im Trace enthält. Der Leerlauf einzelner Streams, auch während andere arbeiten, ist in per_stream; der von HTA, in compat_hta_default, nimmt die ganze Lücke eines Streams, wenn der Start nach ihrem Anfang kommt.</translation>
    </message>
    <message>
        <source>unclassified</source>
        <translation>Sonstige</translation>
    </message>
    <message>
        <source>not all ranks of its calls have a trace</source>
        <translation>nicht alle Ränge ihrer Aufrufe einen Trace haben</translation>
    </message>
    <message>
        <source>not all ranks of its calls are judged</source>
        <translation>nicht alle Ränge ihrer Aufrufe beurteilt werden</translation>
    </message>
    <message>
        <source>not all of its calls are joined with those of the other ranks</source>
        <translation>nicht alle ihre Aufrufe mit denen der anderen Ränge verbunden sind</translation>
    </message>
    <message>
        <source>Exposed communication may be waiting, because %1</source>
        <translation>Unverdeckte Kommunikation kann Warten sein, weil %1</translation>
    </message>
    <message>
        <source>the recordings of %1 end %2 before those of %3 start: the files may be of different launches, and then their clocks and calls do not belong together</source>
        <translation>die Aufzeichnungen von %1 enden %2 bevor die von %3 beginnen: Die Dateien können von verschiedenen Starts sein, und dann gehören ihre Uhren und Aufrufe nicht zusammen</translation>
    </message>
    <message>
        <source>steps are marked on %1 only: these marks are not used</source>
        <translation>Schritte sind nur auf %1 markiert und nicht auf den anderen: Diese Marken werden nicht verwendet</translation>
    </message>
    <message>
        <source>%1, and waits for these ranks are not seen</source>
        <translation>%1 und Warten auf diese Ränge nicht zu sehen ist</translation>
    </message>
    <message>
        <source>Steps are marked on half of the ranks or fewer; the marks are not used, because they tell nothing of the others.</source>
        <translation>Schritte sind auf höchstens der Hälfte der Ränge markiert; die Marken werden nicht verwendet, weil sie nichts über die anderen sagen.</translation>
    </message>
    <message>
        <source>Mean computation of a rank in a step over the length of the step: load balance x serialisation x transfer efficiency (POP), 0 to 1. Transfer efficiency is the share of the step that --what-if comm=0 leaves.</source>
        <translation>Mittlere Rechenzeit eines Rangs in einem Schritt über die Länge des Schritts: Lastverteilung x Serialisierung x Übertragungseffizienz (POP), 0 bis 1. Die Übertragungseffizienz ist der Anteil des Schritts, den --what-if comm=0 übrig lässt.</translation>
    </message>
    <message>
        <source>Launch fewer and larger kernels (CUDA graphs, torch.compile, fused optimisers, larger batches). Where graphs are launched already, let the host do less between them.</source>
        <translation>Starten Sie weniger und größere Kernel (CUDA-Graphs, torch.compile, verschmolzene Optimierer, größere Batches). Wo schon Graphs gestartet werden, soll der Host dazwischen weniger tun.</translation>
    </message>
    <message>
        <source>No calls of known size join only ranks that are judged: whether a link is slow cannot be told.</source>
        <translation>Keine Aufrufe bekannter Größe verbinden nur beurteilte Ränge: Ob eine Verbindung langsam ist, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>Its dump is of an earlier launch.</source>
        <translation>Sein Dump ist von einem früheren Start.</translation>
    </message>
    <message numerus="yes">
        <source>the dumps of ranks %1 are of an earlier launch</source>
        <translation>
            <numerusform>der Dump von Rang %1 ist von einem früheren Start</numerusform>
            <numerusform>die Dumps der Ränge %1 sind von einem früheren Start</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The dumps of ranks %1 end hours before the oldest open call: they are left out.</source>
        <translation>
            <numerusform>Der Dump von Rang %1 endet Stunden vor dem ältesten offenen Aufruf: Er wird ausgelassen.</numerusform>
            <numerusform>Die Dumps der Ränge %1 enden Stunden vor dem ältesten offenen Aufruf: Sie werden ausgelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The job hangs in %1: no dump of %2 says anything of it%3.</source>
        <translation>Der Job hängt in %1: Kein Dump von %2 sagt etwas dazu%3.</translation>
    </message>
    <message>
        <source>; of their time %1 is %2 %</source>
        <translation>; davon ist %1 %2 %</translation>
    </message>
    <message>
        <source>needs ranks that are recorded at the same time</source>
        <translation>braucht Ränge, die zur gleichen Zeit aufgezeichnet wurden</translation>
    </message>
    <message>
        <source>not the same work: no kernel in common</source>
        <translation>nicht die gleiche Arbeit: kein gemeinsamer Kernel</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 are left out: %2 (in the test)</source>
        <translation>
            <numerusform>Rang %1 wird ausgelassen: %2 (im Test)</numerusform>
            <numerusform>Ränge %1 werden ausgelassen: %2 (im Test)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 are left out: %2 (in the baseline)</source>
        <translation>
            <numerusform>Rang %1 wird ausgelassen: %2 (in der Basis)</numerusform>
            <numerusform>Ränge %1 werden ausgelassen: %2 (in der Basis)</numerusform>
        </translation>
    </message>
    <message>
        <source>not known: %1</source>
        <translation>nicht bekannt: %1</translation>
    </message>
    <message>
        <source>needs gate_logs_*.json beside the traces, all-to-all calls with split sizes, or several ranks with kernels of experts, all of which are judged</source>
        <translation>braucht gate_logs_*.json neben den Traces, All-to-all-Aufrufe mit Teilgrößen oder mehrere Ränge mit Kerneln von Experten, die alle beurteilt werden</translation>
    </message>
    <message>
        <source>no lane has such a name; a query of lane tells the names: select distinct name from lane</source>
        <translation>keine Spur heißt so; eine Abfrage von lane nennt die Namen: select distinct name from lane</translation>
    </message>
    <message numerus="yes">
        <source>their files end early</source>
        <translation>
            <numerusform>seine Datei endet vorzeitig</numerusform>
            <numerusform>ihre Dateien enden vorzeitig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no GPU work is recorded of them</source>
        <translation>
            <numerusform>von ihm ist keine GPU-Arbeit aufgezeichnet</numerusform>
            <numerusform>von ihnen ist keine GPU-Arbeit aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no launch of their GPU work is recorded</source>
        <translation>
            <numerusform>kein Start seiner GPU-Arbeit ist aufgezeichnet</numerusform>
            <numerusform>kein Start ihrer GPU-Arbeit ist aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no communication is recorded of them</source>
        <translation>
            <numerusform>von ihm ist keine Kommunikation aufgezeichnet</numerusform>
            <numerusform>von ihnen ist keine Kommunikation aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no steps are recorded of them</source>
        <translation>
            <numerusform>von ihm sind keine Schritte aufgezeichnet</numerusform>
            <numerusform>von ihnen sind keine Schritte aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>most steps are not recorded of them</source>
        <translation>
            <numerusform>von ihm sind die meisten Schritte nicht aufgezeichnet</numerusform>
            <numerusform>von ihnen sind die meisten Schritte nicht aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>they lack steps that other ranks have</source>
        <translation>
            <numerusform>ihm fehlen Schritte, die andere Ränge haben</numerusform>
            <numerusform>ihnen fehlen Schritte, die andere Ränge haben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of their launches have no GPU work</source>
        <translation>
            <numerusform>%1 seiner Starts haben keine GPU-Arbeit</numerusform>
            <numerusform>%1 ihrer Starts haben keine GPU-Arbeit</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>GPU work that their hosts launched is not recorded</source>
        <translation>
            <numerusform>GPU-Arbeit, die sein Host gestartet hat, ist nicht aufgezeichnet</numerusform>
            <numerusform>GPU-Arbeit, die ihre Hosts gestartet haben, ist nicht aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 are not judged: %2.</source>
        <translation>
            <numerusform>Rang %1 wird nicht beurteilt: %2.</numerusform>
            <numerusform>Ränge %1 werden nicht beurteilt: %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>the network, or waits that are not seen: %1</source>
        <translation>das Netz, oder Warten, das man nicht sieht: %1</translation>
    </message>
    <message>
        <source>It may be more: %1, and waits for these ranks are not seen.</source>
        <translation>Es kann mehr sein: %1, und Warten auf diese Ränge sieht man nicht.</translation>
    </message>
    <message>
        <source>%1, and %2</source>
        <translation>%1, und %2</translation>
    </message>
    <message>
        <source>Time from the end of a collective call to the start of the rank&apos;s next one (0 when they overlap), mean over calls, then ranks; details: between calls of one dimension and of two, start to start and idle.</source>
        <translation>Zeit vom Ende einer Kollektive bis zum Beginn der nächsten des Rangs (0, wenn sie sich überlappen), Mittel über Aufrufe, dann Ränge; Details: zwischen Aufrufen einer und zweier Dimensionen, von Beginn zu Beginn und Leerlauf.</translation>
    </message>
    <message>
        <source>A power brake signal from outside of the GPU, as of its power supply, holds back %1 for %2 % of the time%3</source>
        <translation>Ein Bremssignal von außerhalb der GPU, etwa ihrer Stromversorgung, bremst %1 für %2 % der Zeit%3</translation>
    </message>
    <message>
        <source>No single cause holds back a GPU for more than %1 % of the time; the GPUs run at %2 MHz on mean</source>
        <translation>Keine einzelne Ursache bremst eine GPU länger als %1 % der Zeit; die GPUs laufen im Mittel mit %2 MHz</translation>
    </message>
    <message>
        <source>No single cause holds back a GPU with a log for more than %1 % of the time; these GPUs run at %2 MHz on mean</source>
        <translation>Keine einzelne Ursache bremst eine GPU mit Protokoll länger als %1 % der Zeit; diese GPUs laufen im Mittel mit %2 MHz</translation>
    </message>
    <message>
        <source> (power brake)</source>
        <translation> (Bremssignal der Stromversorgung)</translation>
    </message>
    <message>
        <source>; by the log its GPU&apos;s clock is not the reason, %1 MHz and %2 on its peers, unless the log counts GPUs in another order</source>
        <translation>; nach dem Protokoll ist der Takt seiner GPU nicht der Grund, %1 MHz und %2 bei seinen Peers, es sei denn, das Protokoll zählt GPUs in anderer Reihenfolge</translation>
    </message>
    <message>
        <source>The snapshot of rank %1 has no history (_record_memory_history()). When it was taken, %2 were reserved and %3 allocated.</source>
        <translation>Der Snapshot von Rang %1 hat keine Vorgeschichte (_record_memory_history()). Als er entstand, waren %2 reserviert und %3 belegt.</translation>
    </message>
    <message>
        <source>No snapshot records that memory ran out. Rank %1 reserves most: when its snapshot was taken, %2 were reserved and %3 allocated; it has no history.</source>
        <translation>Kein Snapshot zeigt, dass der Speicher ausging. Rang %1 reserviert am meisten: Als sein Snapshot entstand, waren %2 reserviert und %3 belegt; er hat keine Vorgeschichte.</translation>
    </message>
    <message>
        <source>the zone of its times is known</source>
        <translation>die Zone seiner Zeiten ist bekannt</translation>
    </message>
    <message>
        <source>it holds no utilization inside the traces, so that the GPUs&apos; activity does not confirm it</source>
        <translation>es enthält keine Auslastung innerhalb der Traces, sodass die Aktivität der GPUs es nicht bestätigt</translation>
    </message>
    <message>
        <source>it has no header, so that nothing tells what its columns are: record with --format=csv</source>
        <translation>es hat keine Kopfzeile, sodass nichts sagt, was die Spalten sind: mit --format=csv aufzeichnen</translation>
    </message>
    <message>
        <source>total_count is %1</source>
        <translation>total_count ist %1</translation>
    </message>
    <message>
        <source>its parallelism needs a multiple of %1 ranks</source>
        <translation>braucht die Parallelität ein Vielfaches von %1 Rängen</translation>
    </message>
    <message>
        <source>the traces are of a job of %1 ranks, but by the card or configuration %2</source>
        <translation>die Traces sind von einem Job mit %1 Rängen, aber laut Karte oder Konfiguration: %2</translation>
    </message>
    <message>
        <source>%1 holds no row that could be read; where nsys cut times to the width of their column, print the report with --format csv</source>
        <translation>%1 enthält keine lesbare Zeile; wo nsys Zeiten auf die Breite ihrer Spalte gekürzt hat, den Report mit --format csv ausgeben</translation>
    </message>
    <message>
        <source>operations stand in the file a second time; each counts once</source>
        <translation>Operationen stehen ein zweites Mal in der Datei; jede zählt einmal</translation>
    </message>
    <message>
        <source>Some devices of the profile have no events: they are in no total and no mean.</source>
        <translation>Einige Geräte des Profils haben keine Ereignisse: Sie sind in keiner Summe und keinem Mittel.</translation>
    </message>
    <message>
        <source>Some ranks of the job have no trace here: they are in no total and no mean.</source>
        <translation>Von einigen Rängen des Jobs liegt hier kein Trace: Sie sind in keiner Summe und keinem Mittel.</translation>
    </message>
    <message>
        <source>The settings beside the traces give another number of ranks than the traces.</source>
        <translation>Die Einstellungen neben den Traces ergeben eine andere Zahl von Rängen als die Traces.</translation>
    </message>
    <message>
        <source>Correct the card: utilisation and tokens per GPU count by it, and stages are told by its parallelism.</source>
        <translation>Berichtigen Sie die Karte: Auslastung und Token je GPU rechnen mit ihr, und Stufen folgen aus ihrer Parallelität.</translation>
    </message>
    <message>
        <source>At the peak of rank %1 most was live %2: %3 (blocks: %4).</source>
        <translation>Auf dem Höchststand von Rang %1 war am meisten belegt %2: %3 (Blöcke: %4).</translation>
    </message>
    <message>
        <source>the others wait %1 for it</source>
        <translation>die anderen warten %1 auf ihn</translation>
    </message>
    <message>
        <source>the others wait %1 for it on average</source>
        <translation>die anderen warten im Mittel %1 auf ihn</translation>
    </message>
    <message>
        <source>its calls of one kind take up to %1× as long, with every partner</source>
        <translation>seine Aufrufe einer Art dauern bis zu %1× so lange, mit jedem Partner</translation>
    </message>
    <message>
        <source> The others wait %1 for rank %2 on average; the rest of that they would wait for something else.</source>
        <translation> Die anderen warten im Mittel %1 auf Rang %2; den Rest davon würden sie auf etwas anderes warten.</translation>
    </message>
    <message>
        <source>files end early, and what came then is not counted</source>
        <translation>Dateien früh enden und das Folgende nicht gezählt ist</translation>
    </message>
    <message>
        <source>the run is read from digests, which leave such events out</source>
        <translation>der Lauf ist aus Digests gelesen, die solche Ereignisse auslassen</translation>
    </message>
    <message>
        <source>the run records no events of this kind</source>
        <translation>der Lauf zeichnet keine Ereignisse dieser Art auf</translation>
    </message>
    <message>
        <source>the run has no rank %1</source>
        <translation>der Lauf hat keinen Rang %1</translation>
    </message>
    <message>
        <source>rank %1 has no trace</source>
        <translation>Rang %1 hat keinen Trace</translation>
    </message>
    <message>
        <source>step %1 is not recorded whole, or not selected</source>
        <translation>Schritt %1 ist nicht ganz aufgezeichnet oder nicht ausgewählt</translation>
    </message>
    <message>
        <source>no process group %1 is recorded</source>
        <translation>keine Prozessgruppe %1 ist aufgezeichnet</translation>
    </message>
    <message>
        <source>the size of %1 of %2 events is not recorded (%3)</source>
        <translation>die Größe von %1 von %2 Ereignissen nicht aufgezeichnet ist (%3)</translation>
    </message>
    <message numerus="yes">
        <source>the process groups of %1 calls are not recorded (%2)</source>
        <translation>
            <numerusform>die Prozessgruppe von %1 Aufruf nicht aufgezeichnet ist (%2)</numerusform>
            <numerusform>die Prozessgruppen von %1 Aufrufen nicht aufgezeichnet sind (%2)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of its ranks have no trace</source>
        <translation>
            <numerusform>%1 seiner Ränge keinen Trace hat</numerusform>
            <numerusform>%1 seiner Ränge keinen Trace haben</numerusform>
        </translation>
    </message>
    <message>
        <source>no call says of which process group it is (%1)</source>
        <translation>kein Aufruf nennt seine Prozessgruppe (%1)</translation>
    </message>
    <message numerus="yes">
        <source>none of its %2 events has a recorded size (%1)</source>
        <translation>
            <numerusform>von keinem seiner %2 Ereignisse ist die Größe aufgezeichnet (%1)</numerusform>
            <numerusform>von keinem seiner %2 Ereignisse ist die Größe aufgezeichnet (%1)</numerusform>
        </translation>
    </message>
    <message>
        <source>only copies, sets and collectives have sizes</source>
        <translation>nur Kopien, Füllungen und Kollektive haben Größen</translation>
    </message>
    <message>
        <source>%1 is only a bound (at least), so this is not known</source>
        <translation>%1 ist nur eine Schranke (mindestens), daher ist dies nicht bekannt</translation>
    </message>
    <message>
        <source>%1 is only a bound (at most), so this is not known</source>
        <translation>%1 ist nur eine Schranke (höchstens), daher ist dies nicht bekannt</translation>
    </message>
    <message>
        <source>comes last of the recorded ranks at %1 of %2 collective calls; there %3</source>
        <translation>kommt bei %1 von %2 kollektiven Aufrufen als letzter der aufgezeichneten Ränge; %3</translation>
    </message>
    <message>
        <source>comes last of the judged ranks at %1 of %2 collective calls; there %3</source>
        <translation>kommt bei %1 von %2 kollektiven Aufrufen als letzter der beurteilten Ränge; %3</translation>
    </message>
    <message>
        <source>comes last at %1 of %2 collective calls; there %3</source>
        <translation>kommt bei %1 von %2 kollektiven Aufrufen als Letzter; %3</translation>
    </message>
    <message>
        <source>What that costs cannot be told: no recorded cause makes the replayed step longer.</source>
        <translation>Was das kostet, lässt sich nicht sagen: Keine aufgezeichnete Ursache verlängert den nachgespielten Schritt.</translation>
    </message>
    <message>
        <source>no trace found in %1 (%2); expected Kineto files such as rank0_trace.json or *.pt.trace.json.gz, reports of Nsight Systems (*.sqlite, *.nsys-rep), *.xplane.pb, or ROCm&apos;s databases (*.db, *.rpd)</source>
        <translation>kein Trace gefunden in %1 (%2); erwartet werden Kineto-Dateien wie rank0_trace.json oder *.pt.trace.json.gz, Berichte von Nsight Systems (*.sqlite, *.nsys-rep), *.xplane.pb oder Datenbanken von ROCm (*.db, *.rpd)</translation>
    </message>
    <message>
        <source>%1 processes launch no recorded GPU work and are not shown</source>
        <translation>%1 Prozesse starten keine aufgezeichnete Arbeit der GPU und werden nicht gezeigt</translation>
    </message>
    <message>
        <source>an operation timeline does not record what an operation waited for</source>
        <translation>eine Zeitachse von Operationen zeichnet nicht auf, worauf eine Operation wartete</translation>
    </message>
    <message>
        <source>no GPU work is recorded</source>
        <translation>es ist keine Arbeit der GPU aufgezeichnet</translation>
    </message>
    <message>
        <source>only the GPU&apos;s side of the steps is recorded, not how the host starts and ends them</source>
        <translation>von den Schritten ist nur die Seite der GPU aufgezeichnet, nicht wie der Host sie beginnt und beendet</translation>
    </message>
    <message>
        <source>The slowest %1 % of the workers (%2) explain all of the slowdown; %3 alone makes a step %4 times as long.</source>
        <translation>Die langsamsten %1 % der Worker (%2) erklären die ganze Verlangsamung; %3 allein macht einen Schritt %4-mal so lang.</translation>
    </message>
    <message>
        <source>The slowest %1 % of the workers (%2) explain %5 % of the slowdown; %3 alone makes a step %4 times as long.</source>
        <translation>Die langsamsten %1 % der Worker (%2) erklären %5 % der Verlangsamung; %3 allein macht einen Schritt %4-mal so lang.</translation>
    </message>
    <message>
        <source>A kernel&apos;s log beside the traces has errors of a rank&apos;s GPU: Xids of NVIDIA&apos;s driver, or errors of its PCIe link.</source>
        <translation>Ein Kernel-Log neben den Traces enthält Fehler der GPU eines Rangs: Xids des NVIDIA-Treibers oder Fehler ihrer PCIe-Verbindung.</translation>
    </message>
    <message>
        <source>Look at the first error; what follows within seconds is often its consequence. Report the GPU to who runs the machine if it comes again.</source>
        <translation>Sehen Sie sich den ersten Fehler an; was in den Sekunden danach folgt, ist oft seine Folge. Melden Sie die GPU dem Betreiber der Maschine, wenn er wiederkommt.</translation>
    </message>
    <message>
        <source>A kernel&apos;s log beside the traces has errors of a GPU, and which rank ran on it is not told.</source>
        <translation>Ein Kernel-Log neben den Traces enthält Fehler einer GPU, und welcher Rang auf ihr lief, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Log the bus ids, too: nvidia-smi --query-gpu=…,pci.bus_id, or the script of docs/recording.md.</source>
        <translation>Protokollieren Sie auch die Bus-IDs: nvidia-smi --query-gpu=…,pci.bus_id oder das Skript aus docs/recording.md.</translation>
    </message>
    <message>
        <source>By the kernel&apos;s log, %1 reported %2 %3 into the recording</source>
        <translation>Laut Kernel-Log meldete %1 %2, %3 nach Beginn der Aufzeichnung</translation>
    </message>
    <message>
        <source>By the kernel&apos;s log, %1 reported %2 %3 times, the first %4 into the recording</source>
        <translation>Laut Kernel-Log meldete %1 %2, %3-mal, zuerst %4 nach Beginn der Aufzeichnung</translation>
    </message>
    <message>
        <source>The memory was there, but not in one piece: %1 were reserved or free, %2 needed.</source>
        <translation>Der Speicher war da, aber nicht am Stück: %1 waren reserviert oder frei, %2 nötig.</translation>
    </message>
    <message>
        <source>It lacked %1: no single category or place in the program held that much.</source>
        <translation>Es fehlten %1: Keine einzelne Kategorie oder Stelle im Programm hielt so viel.</translation>
    </message>
    <message>
        <source>It lacked %1, and would have fit without any one of these, if fragmentation takes nothing: %2.</source>
        <translation>Es fehlten %1; ohne eine von diesen hätte es gepasst, wenn Fragmentierung nichts kostet: %2.</translation>
    </message>
    <message>
        <source>cut to exposed communication and waits: the replay alone saves %1</source>
        <translation>auf unverdeckte Kommunikation und Warten gekürzt: das Nachspielen allein spart %1</translation>
    </message>
    <message>
        <source>cut to the time that the GPUs have nothing to do: the replay alone saves %1</source>
        <translation>auf die Zeit gekürzt, in der die GPUs nichts zu tun haben: das Nachspielen allein spart %1</translation>
    </message>
    <message>
        <source>Rank %1 ran out of memory in the test only.</source>
        <translation>Nur im Test ging Rang %1 der Speicher aus.</translation>
    </message>
    <message>
        <source>Rank %1 ran out of memory in the baseline only.</source>
        <translation>Nur in der Basis ging Rang %1 der Speicher aus.</translation>
    </message>
    <message>
        <source>Memory of rank %1 at its peak: %2 active instead of %3; at most %4 reserved instead of %5.</source>
        <translation>Speicher von Rang %1 in der Spitze: %2 aktiv statt %3; höchstens %4 reserviert statt %5.</translation>
    </message>
    <message>
        <source>Of the categories %1 grew most: %2 instead of %3.</source>
        <translation>Von den Kategorien wuchs %1 am meisten: %2 statt %3.</translation>
    </message>
    <message>
        <source>What has no recorded stack grew most: %1 instead of %2.</source>
        <translation>Am meisten wuchs, was keinen aufgezeichneten Stack hat: %1 statt %2.</translation>
    </message>
    <message>
        <source>Of the places in the program %1 grew most: %2 instead of %3.</source>
        <translation>Von den Stellen im Programm wuchs %1 am meisten: %2 statt %3.</translation>
    </message>
    <message>
        <source>it is a log of a kernel; put it into the folder of the traces, and open that</source>
        <translation>es ist ein Kernel-Log; legen Sie es in den Ordner der Traces und öffnen Sie diesen</translation>
    </message>
    <message>
        <source>the log does not tell when in the recording</source>
        <translation>das Log sagt nicht, wann in der Aufzeichnung</translation>
    </message>
    <message>
        <source>the first %1 after the end of the recording</source>
        <translation>zuerst %1 nach dem Ende der Aufzeichnung</translation>
    </message>
    <message>
        <source>the first %1 before the recording</source>
        <translation>zuerst %1 vor der Aufzeichnung</translation>
    </message>
    <message>
        <source>the first %1 into the recording</source>
        <translation>zuerst %1 nach Beginn der Aufzeichnung</translation>
    </message>
    <message>
        <source>GPU of %1 (PCI %2): %3; times: %4; %5</source>
        <translation>GPU von %1 (PCI %2): %3; Anzahl: %4; %5</translation>
    </message>
    <message>
        <source>GPU at PCI %1: %2; times: %3; no trace and no log of GPUs tells whose it is</source>
        <translation>GPU an PCI %1: %2; Anzahl: %3; weder ein Trace noch ein GPU-Log sagt, zu welchem Rang sie gehört</translation>
    </message>
    <message>
        <source>GPU at PCI %1 of %2: %3; times: %4; no trace and no log of GPUs tells whose it is</source>
        <translation>GPU an PCI %1 von %2: %3; Anzahl: %4; weder ein Trace noch ein GPU-Log sagt, zu welchem Rang sie gehört</translation>
    </message>
    <message>
        <source>it has more than %1 errors: the rest is left out</source>
        <translation>sie hat mehr als %1 Fehler: der Rest wird ausgelassen</translation>
    </message>
    <message>
        <source>an exception inside a kernel, as an illegal access or instruction</source>
        <translation>eine Ausnahme in einem Kernel, etwa ein unerlaubter Zugriff oder Befehl</translation>
    </message>
    <message>
        <source>an access to memory that is not mapped</source>
        <translation>ein Zugriff auf nicht zugeordneten Speicher</translation>
    </message>
    <message>
        <source>the driver stopped the work of a program after its error</source>
        <translation>der Treiber hat die Arbeit eines Programms nach dessen Fehler angehalten</translation>
    </message>
    <message>
        <source>the driver removed the work of a program, after another error or its end</source>
        <translation>der Treiber hat die Arbeit eines Programms entfernt, nach einem anderen Fehler oder dessen Ende</translation>
    </message>
    <message>
        <source>an ECC error that cannot be corrected</source>
        <translation>ein nicht korrigierbarer ECC-Fehler</translation>
    </message>
    <message>
        <source>a warning of the GPU&apos;s own controller</source>
        <translation>eine Warnung des Steuerprozessors der GPU</translation>
    </message>
    <message>
        <source>the GPU&apos;s own controller halted</source>
        <translation>der Steuerprozessor der GPU ist stehen geblieben</translation>
    </message>
    <message>
        <source>a faulty page or row of memory was noted for replacement</source>
        <translation>eine fehlerhafte Speicherseite oder -zeile wurde zum Ersetzen vorgemerkt</translation>
    </message>
    <message>
        <source>a faulty page or row of memory could not be noted for replacement</source>
        <translation>eine fehlerhafte Speicherseite oder -zeile konnte nicht zum Ersetzen vorgemerkt werden</translation>
    </message>
    <message>
        <source>an error of an NVLink</source>
        <translation>ein Fehler eines NVLinks</translation>
    </message>
    <message>
        <source>the GPU has fallen off the bus</source>
        <translation>die GPU ist vom Bus verschwunden</translation>
    </message>
    <message>
        <source>many corrected ECC errors</source>
        <translation>viele korrigierte ECC-Fehler</translation>
    </message>
    <message>
        <source>an ECC error that was contained in one program</source>
        <translation>ein ECC-Fehler, der auf ein Programm begrenzt blieb</translation>
    </message>
    <message>
        <source>an ECC error that was not contained in one program</source>
        <translation>ein ECC-Fehler, der nicht auf ein Programm begrenzt blieb</translation>
    </message>
    <message>
        <source>the GPU&apos;s system processor (GSP) did not answer in time</source>
        <translation>der Systemprozessor der GPU (GSP) hat nicht rechtzeitig geantwortet</translation>
    </message>
    <message>
        <source>a corrected error of the PCIe link</source>
        <translation>einen korrigierten Fehler der PCIe-Verbindung</translation>
    </message>
    <message>
        <source>an uncorrected error of the PCIe link, not fatal</source>
        <translation>einen nicht korrigierten, nicht fatalen Fehler der PCIe-Verbindung</translation>
    </message>
    <message>
        <source>a fatal error of the PCIe link</source>
        <translation>einen fatalen Fehler der PCIe-Verbindung</translation>
    </message>
    <message>
        <source>Xid %1</source>
        <translation>Xid %1</translation>
    </message>
    <message>
        <source>Xid %1 (%2)</source>
        <translation>Xid %1 (%2)</translation>
    </message>
    <message>
        <source>its passes wait for each other in a circle, or for one that is not recorded</source>
        <translation>seine Durchgänge warten im Kreis aufeinander oder auf einen, der nicht aufgezeichnet ist</translation>
    </message>
    <message>
        <source>no annotations name the microbatches (&quot;Forward 3&quot;, &quot;Backward 3&quot;), so it cannot be drawn</source>
        <translation>keine Annotationen nennen die Mikrobatches (&quot;Forward 3&quot;, &quot;Backward 3&quot;), daher kann er nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>a stage runs a microbatch&apos;s forward pass twice (an interleaved schedule), which is not drawn</source>
        <translation>eine Stufe führt den Vorwärtsdurchgang eines Mikrobatches zweimal aus (ein verschachtelter Ablauf), was nicht gezeichnet wird</translation>
    </message>
    <message>
        <source>the step has no forward or no backward passes</source>
        <translation>der Schritt hat keine Vorwärts- oder keine Rückwärtsdurchgänge</translation>
    </message>
    <message>
        <source>The memory of %1 had one uncorrected ECC error during the recording</source>
        <translation>Der Speicher von %1 hatte während der Aufzeichnung einen nicht korrigierten ECC-Fehler</translation>
    </message>
    <message>
        <source>Sums of GPU work are recorded, %1 in all, and not when it ran: ranks, links and the host cannot be judged.</source>
        <translation>Summen von GPU-Arbeit sind aufgezeichnet, insgesamt %1, und nicht, wann sie lief: Ränge, Verbindungen und der Host können nicht beurteilt werden.</translation>
    </message>
    <message>
        <source>%1 took part in more calls than peers did: the recordings differ in length, and what one rank runs more of than another is not judged.</source>
        <translation>%1: an mehr Aufrufen beteiligt als gleichartige Ränge. Die Aufzeichnungen sind verschieden lang, und was ein Rang mehr ausführt als ein anderer, wird nicht beurteilt.</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 made it, and have other calls open before it</source>
        <translation>
            <numerusform>Rang %1 hat ihn aufgerufen und davor andere Aufrufe offen</numerusform>
            <numerusform>die Ränge %1 haben ihn aufgerufen und davor andere Aufrufe offen</numerusform>
        </translation>
    </message>
    <message>
        <source>As %1 it called %2, where %3 called %4. But a member of that group has other calls open before it.</source>
        <translation>Als %1 rief er %2 auf, wo %3 %4 aufrief. Doch ein Mitglied dieser Gruppe hat davor andere Aufrufe offen.</translation>
    </message>
    <message>
        <source>It made %1 and has not finished it, though %2 did. Whether %3 finished it is not known.</source>
        <translation>Er hat %1 aufgerufen und nicht beendet, obwohl %2 das tat. Ob %3 es beendet hat, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>It made %1, which %2 finished. Whether it finished it too is not known.</source>
        <translation>Er hat %1 aufgerufen, was %2 beendet hat. Ob auch er es beendet hat, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Its dump is of another rank.</source>
        <translation>Sein Dump ist von einem anderen Rang.</translation>
    </message>
    <message numerus="yes">
        <source>the dumps of ranks %1 are of other ranks</source>
        <translation>
            <numerusform>der Dump von Rang %1 ist von einem anderen Rang</numerusform>
            <numerusform>die Dumps der Ränge %1 sind von anderen Rängen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The dumps of ranks %1 are of other ranks, as their groups say: they are left out.</source>
        <translation>
            <numerusform>Der Dump von Rang %1 ist von einem anderen Rang, wie seine Gruppen sagen: Er wird weggelassen.</numerusform>
            <numerusform>Die Dumps der Ränge %1 sind von anderen Rängen, wie ihre Gruppen sagen: Sie werden weggelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>it is a database of torch_npu (Ascend), which is not read; open it in MindStudio Insight</source>
        <translation>es ist eine Datenbank von torch_npu (Ascend), die nicht gelesen wird; öffnen Sie sie in MindStudio Insight</translation>
    </message>
    <message>
        <source>it is a pointer of Git LFS; fetch the file itself with git lfs pull</source>
        <translation>es ist ein Zeiger von Git LFS; holen Sie die Datei selbst mit git lfs pull</translation>
    </message>
    <message>
        <source>%1 jobs are side by side, and each counts its ranks from 0: that of this file&apos;s job is shown as %2, and no call of one job is matched with another&apos;s</source>
        <translation>%1 Jobs stehen nebeneinander, und jeder zählt seine Ränge ab 0: der des Jobs dieser Datei wird als %2 gezeigt, und kein Aufruf eines Jobs wird einem eines anderen zugeordnet</translation>
    </message>
    <message>
        <source>files of one time tell the same rank: that of this file is taken as %1</source>
        <translation>Dateien derselben Zeit nennen denselben Rang: der dieser Datei gilt als %1</translation>
    </message>
    <message>
        <source>the files of all %1 ranks are there, and this one does not say that it is of their job: left out</source>
        <translation>die Dateien aller %1 Ränge sind da, und diese sagt nicht, dass sie zu deren Job gehört: weggelassen</translation>
    </message>
    <message>
        <source>it has neither GPU work nor launches, and nothing says that it is a rank of its own: left out beside the files of the ranks</source>
        <translation>sie enthält weder GPU-Arbeit noch deren Starts, und nichts sagt, dass sie ein eigener Rang ist: neben den Dateien der Ränge weggelassen</translation>
    </message>
    <message numerus="yes">
        <source> Ranks %1 wait in other calls instead.</source>
        <translation>
            <numerusform> Rang %1 wartet stattdessen in einem anderen Aufruf.</numerusform>
            <numerusform> Die Ränge %1 warten stattdessen in anderen Aufrufen.</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU work starts before the call that launched it: the GPU&apos;s clock is ahead by %1, and its times were moved forward by that</source>
        <translation>GPU-Arbeit beginnt vor dem Aufruf, der sie gestartet hat: Die Uhr der GPU geht um %1 vor, und ihre Zeiten wurden um so viel nach hinten verschoben</translation>
    </message>
    <message>
        <source>calls that wait for the GPU return up to %1 before its work ends: its clock may be late; its times are as recorded</source>
        <translation>Aufrufe, die auf die GPU warten, kehren bis zu %1 vor dem Ende ihrer Arbeit zurück: Ihre Uhr kann nachgehen; ihre Zeiten sind wie aufgezeichnet</translation>
    </message>
    <message>
        <source>GPU work lasts, as recorded, longer than it can have: across later work of its stream, past a call that waited for it or long past everything else; it counts as the longest of its name that fits</source>
        <translation>GPU-Arbeit dauert laut Aufzeichnung länger, als sie kann: über spätere Arbeit ihres Streams hinweg, über einen Aufruf hinaus, der auf sie wartete, oder weit über alles andere hinaus; sie zählt als die längste ihres Namens, die passt</translation>
    </message>
    <message>
        <source>an execution trace holds no times: operators are shown in their order, each one unit wide; a Kineto trace of the same run has the times</source>
        <translation>ein Execution Trace enthält keine Zeiten: Operatoren werden der Reihe nach gezeigt, jeder eine Einheit breit; ein Kineto-Trace desselben Laufs hat die Zeiten</translation>
    </message>
    <message>
        <source>no step with a prompt was recorded: no first token was computed in the trace</source>
        <translation>kein Schritt mit einem Prompt wurde aufgezeichnet: im Trace wurde kein erstes Token berechnet</translation>
    </message>
    <message>
        <source>the table %1 has no column %2</source>
        <translation>die Tabelle %1 hat keine Spalte %2</translation>
    </message>
    <message>
        <source>there is no table %1</source>
        <translation>es gibt keine Tabelle %1</translation>
    </message>
    <message>
        <source>the run ends after %1 ms</source>
        <translation>der Lauf endet nach %1 ms</translation>
    </message>
    <message>
        <source>the run is from @%1 ms to @%2 ms of the session</source>
        <translation>der Lauf geht von @%1 ms bis @%2 ms der Sitzung</translation>
    </message>
    <message>
        <source>%1: nothing inside --time-range: %2</source>
        <translation>%1: nichts innerhalb von --time-range: %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Exposed %1 communication: %2 (%3)</source>
        <translation>Unverdeckte %1-Kommunikation: %2 (%3)</translation>
    </message>
    <message>
        <source>Exposed communication: %1 (%2)</source>
        <translation>Unverdeckte Kommunikation: %1 (%2)</translation>
    </message>
    <message>
        <source>The stages of the pipeline are uneven: stage %1 (%2) computes %3 a step for its microbatches, %4× as long as the mean stage, and the others wait for it</source>
        <translation>Die Stufen der Pipeline sind ungleich: Stufe %1 (%2) rechnet %3 je Schritt für ihre Mikrobatches, %4× so lange wie die mittlere Stufe, und die anderen warten auf sie</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 take longer than before, by the same factor as the others: %2</source>
        <translation>
            <numerusform>Rang %1 braucht länger als zuvor, um denselben Faktor wie die anderen: %2</numerusform>
            <numerusform>Ränge %1 brauchen länger als zuvor, um denselben Faktor wie die anderen: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 (%2 -&gt; %3 on average)</source>
        <translation>
            <numerusform>Rang %1 (%2 -&gt; %3)</numerusform>
            <numerusform>Ränge %1 (im Mittel %2 -&gt; %3)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CounterTexts</name>
    <message>
        <source>memory allocated, %1</source>
        <translation>Speicher belegt, %1</translation>
    </message>
    <message>
        <source>memory reserved, %1</source>
        <translation>Speicher reserviert, %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>queue of %1</source>
        <translation>Warteschlange von %1</translation>
    </message>
</context>
<context>
    <name>DependencyTexts</name>
    <message>
        <source>arrived last at this call: rank %1 waited %2 for it</source>
        <translation>kam als Letzter zu diesem Aufruf: Rang %1 hat %2 darauf gewartet</translation>
    </message>
    <message>
        <source>waited %1 for the last rank to arrive at this call</source>
        <translation>hat %1 auf den letzten Rang dieses Aufrufs gewartet</translation>
    </message>
    <message>
        <source>launched it, %1 before it started</source>
        <translation>hat ihn gestartet, %1 vor seinem Beginn</translation>
    </message>
    <message>
        <source>started %1 after its launch</source>
        <translation>begann %1 nach seinem Launch</translation>
    </message>
    <message>
        <source>started %1 after its launch: something else held it up</source>
        <translation>begann %1 nach seinem Launch: etwas anderes hielt ihn auf</translation>
    </message>
    <message>
        <source>the work before it on its stream</source>
        <translation>die Arbeit davor auf seinem Stream</translation>
    </message>
    <message>
        <source>the next work on its stream</source>
        <translation>die nächste Arbeit auf seinem Stream</translation>
    </message>
    <message>
        <source>work of another stream that had to end first</source>
        <translation>Arbeit eines anderen Streams, die zuerst enden musste</translation>
    </message>
    <message>
        <source>work of another stream that waited for it</source>
        <translation>Arbeit eines anderen Streams, die darauf gewartet hat</translation>
    </message>
    <message>
        <source>work of the GPU that the host waited for</source>
        <translation>Arbeit der GPU, auf die der Host gewartet hat</translation>
    </message>
    <message>
        <source>here the host waited for it</source>
        <translation>hier hat der Host darauf gewartet</translation>
    </message>
    <message>
        <source>where the host was before</source>
        <translation>wo der Host vorher war</translation>
    </message>
    <message>
        <source>where the host went on</source>
        <translation>wo der Host weiterging</translation>
    </message>
    <message>
        <source>%1; something else held it up for longer</source>
        <translation>%1; etwas anderes hielt ihn länger auf</translation>
    </message>
</context>
<context>
    <name>EventTexts</name>
    <message>
        <source>%1 · compute, %2</source>
        <translation>%1 · Rechnen, %2</translation>
    </message>
    <message>
        <source>Launched by</source>
        <translation>Gestartet von</translation>
    </message>
    <message>
        <source>no call in the trace</source>
        <translation>kein Aufruf im Trace</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>Launch to start</source>
        <translation>Launch bis Start</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>Kollektive</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>Data type</source>
        <translation>Datentyp</translation>
    </message>
    <message>
        <source>Elements in</source>
        <translation>Elemente ein</translation>
    </message>
    <message>
        <source>Elements out</source>
        <translation>Elemente aus</translation>
    </message>
    <message>
        <source>Group size</source>
        <translation>Gruppengröße</translation>
    </message>
    <message>
        <source>Sequence number</source>
        <translation>Sequenznummer</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Group description</source>
        <translation>Gruppenbeschreibung</translation>
    </message>
    <message>
        <source>Group ranks</source>
        <translation>Ränge der Gruppe</translation>
    </message>
    <message>
        <source>Source rank</source>
        <translation>Quellrang</translation>
    </message>
    <message>
        <source>Destination rank</source>
        <translation>Zielrang</translation>
    </message>
    <message>
        <source>Split in</source>
        <translation>Aufteilung ein</translation>
    </message>
    <message>
        <source>Split out</source>
        <translation>Aufteilung aus</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Called from</source>
        <translation>Aufgerufen aus</translation>
    </message>
    <message>
        <source>Inputs of the operator</source>
        <translation>Eingaben des Operators</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>Typen</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Strides</source>
        <translation>Strides</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>In</translation>
    </message>
    <message>
        <source>As recorded</source>
        <translation>Wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
</context>
<context>
    <name>ExportTexts</name>
    <message>
        <source>Plot</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Tab-separated (*.tsv)</source>
        <translation>Durch Tabulatoren getrennt (*.tsv)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>It is no longer on screen.</source>
        <translation>Es ist nicht mehr auf dem Bildschirm.</translation>
    </message>
    <message>
        <source>%1: a table is written as .csv or .tsv.</source>
        <translation>%1: Eine Tabelle wird als .csv oder .tsv geschrieben.</translation>
    </message>
    <message>
        <source>%1: a plot is written as .png, .svg or .pdf.</source>
        <translation>%1: Ein Diagramm wird als .png, .svg oder .pdf geschrieben.</translation>
    </message>
</context>
<context>
    <name>HoverTexts</name>
    <message numerus="yes">
        <source>%1 elements</source>
        <translation>
            <numerusform>%1 Element</numerusform>
            <numerusform>%1 Elemente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rang</numerusform>
            <numerusform>%n Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1 · %2 · at %3</source>
        <translation>Rang %1 · %2 · bei %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 slices in %2</source>
        <translation>
            <numerusform>%1 Slice in %2</numerusform>
            <numerusform>%1 Slices in %2</numerusform>
        </translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>untätig %1</translation>
    </message>
    <message>
        <source>names of the first slices only: zoom in for all</source>
        <translation>nur Namen der ersten Slices: für alle hineinzoomen</translation>
    </message>
    <message>
        <source>between %1 and %2 here</source>
        <translation>hier zwischen %1 und %2</translation>
    </message>
    <message>
        <source>largest of the run: %1</source>
        <translation>Größtwert des Laufs: %1</translation>
    </message>
</context>
<context>
    <name>Jobs</name>
    <message>
        <source>There is not enough memory for this.</source>
        <translation>Dafür reicht der Speicher nicht.</translation>
    </message>
    <message>
        <source>An error of the program stopped this: %1</source>
        <translation>Ein Programmfehler hat das abgebrochen: %1</translation>
    </message>
    <message>
        <source>An unknown error of the program stopped this.</source>
        <translation>Ein unbekannter Programmfehler hat das abgebrochen.</translation>
    </message>
</context>
<context>
    <name>NoticeText</name>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <translation>
            <numerusform>%1 Rang</numerusform>
            <numerusform>%1 Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>Ränge %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 files</source>
        <translation>
            <numerusform>%1 Datei</numerusform>
            <numerusform>%1 Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 times</source>
        <translation>
            <numerusform>%1-mal</numerusform>
            <numerusform>%1-mal</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2).</source>
        <translation>%1 (%2).</translation>
    </message>
</context>
<context>
    <name>NumberText</name>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message numerus="yes">
        <source>%1 runs</source>
        <translation>
            <numerusform>%1 Lauf</numerusform>
            <numerusform>%1 Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message numerus="yes">
        <source>%1 calls</source>
        <translation>
            <numerusform>%1 Aufruf</numerusform>
            <numerusform>%1 Aufrufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OverlayTexts</name>
    <message>
        <source>warm-up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>stationär</translation>
    </message>
    <message>
        <source>cool-down</source>
        <translation>Cool-down</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>Pipeline bubbles</source>
        <translation>Pipeline-Bubbles</translation>
    </message>
    <message>
        <source>No bubble was found.</source>
        <translation>Keine Bubble wurde gefunden.</translation>
    </message>
    <message>
        <source>No compute, waiting for a neighbour: before the first backward pass, between, after the last forward pass.</source>
        <translation>Kein Rechnen, Warten auf einen Nachbarn: vor dem ersten Backward, dazwischen, nach dem letzten Forward.</translation>
    </message>
    <message>
        <source>host late</source>
        <translation>Host spät</translation>
    </message>
    <message>
        <source>kernel hand-over</source>
        <translation>Kernelwechsel</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>Idle causes</source>
        <translation>Leerlaufursachen</translation>
    </message>
    <message>
        <source>No GPU stream is ever idle.</source>
        <translation>Kein GPU-Stream ist je untätig.</translation>
    </message>
    <message>
        <source>waits %1 for rank %2</source>
        <translation>wartet %1 auf Rang %2</translation>
    </message>
    <message>
        <source>waits %1 for rank %2, which waited for rank %3</source>
        <translation>wartet %1 auf Rang %2, der auf Rang %3 gewartet hat</translation>
    </message>
    <message>
        <source>Straggler lag</source>
        <translation>Verzug der Nachzügler</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>No collective call was found on several ranks.</source>
        <translation>Keine Kollektive wurde auf mehreren Rängen gefunden.</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>on the path</source>
        <translation>auf dem Pfad</translation>
    </message>
    <message>
        <source>What, made shorter, would make the step shorter; it goes from rank to rank.</source>
        <translation>Was, wenn es kürzer wäre, den Schritt kürzer machte; der Pfad geht von Rang zu Rang.</translation>
    </message>
    <message>
        <source>Looking for the longest path through all ranks…</source>
        <translation>Der längste Pfad durch alle Ränge wird gesucht …</translation>
    </message>
    <message>
        <source>No stream works, and the next work was launched too late, started late, or neither is known.</source>
        <translation>Kein Stream arbeitet, und die nächste Arbeit wurde zu spät gestartet, lief spät an, oder beides ist nicht bekannt.</translation>
    </message>
    <message>
        <source>arrives last, or caused the delay</source>
        <translation>kommt zuletzt an oder verursachte die Verzögerung</translation>
    </message>
    <message>
        <source>A hatched rank waits for the last one, which has a flag. A bracket marks what delayed that rank. Point at them for names and times.</source>
        <translation>Ein schraffierter Rang wartet auf den letzten, der eine Fahne hat. Eine Klammer zeigt, was diesen Rang aufhielt. Zeigen Sie darauf für Namen und Zeiten.</translation>
    </message>
    <message>
        <source>on to the next slice</source>
        <translation>weiter zum nächsten Slice</translation>
    </message>
    <message>
        <source>others wait %1 for this, all together: %2</source>
        <translation>andere warten zusammen %1 hierauf: %2</translation>
    </message>
    <message>
        <source>The critical path is not known: %1.</source>
        <translation>Der kritische Pfad ist nicht bekannt: %1.</translation>
    </message>
</context>
<context>
    <name>OverviewText</name>
    <message>
        <source>not computed</source>
        <translation>nicht berechnet</translation>
    </message>
    <message numerus="yes">
        <source>mean over %1 collective calls</source>
        <translation>
            <numerusform>Mittel über %1 Kollektive</numerusform>
            <numerusform>Mittel über %1 Kollektiven</numerusform>
        </translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>of communication is hidden</source>
        <translation>der Kommunikation ist verdeckt</translation>
    </message>
    <message>
        <source>Straggler lag</source>
        <translation>Verzug der Nachzügler</translation>
    </message>
    <message>
        <source>waits most</source>
        <translation>wartet am meisten</translation>
    </message>
    <message>
        <source>idles most</source>
        <translation>am meisten untätig</translation>
    </message>
    <message>
        <source>%1: %2 events, %3 on the timeline%4</source>
        <translation>%1: %2 Ereignisse, %3 auf der Zeitachse%4</translation>
    </message>
    <message>
        <source>; not there: %1</source>
        <translation>; nicht dort: %1</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
    <message numerus="yes">
        <source>and %1 more files</source>
        <translation>
            <numerusform>und %1 weitere Datei</numerusform>
            <numerusform>und %1 weitere Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 ranks</source>
        <translation>
            <numerusform>%1 von %2 Rang</numerusform>
            <numerusform>%1 von %2 Rängen</numerusform>
        </translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rang</translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <translation>
            <numerusform>%1 Rang</numerusform>
            <numerusform>%1 Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and others</source>
        <translation>%1 und andere</translation>
    </message>
    <message numerus="yes">
        <source>%1 events</source>
        <translation>
            <numerusform>%1 Ereignis</numerusform>
            <numerusform>%1 Ereignisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 events</source>
        <translation>
            <numerusform>%1 von %2 Ereignis</numerusform>
            <numerusform>%1 von %2 Ereignissen</numerusform>
        </translation>
    </message>
    <message>
        <source>one step</source>
        <translation>ein Schritt</translation>
    </message>
    <message numerus="yes">
        <source>%1 steps, %2 to %3 on single ranks</source>
        <translation>
            <numerusform>%1 Schritt, %2 bis %3 auf einzelnen Rängen</numerusform>
            <numerusform>%1 Schritte, %2 bis %3 auf einzelnen Rängen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 steps, %2 to %3</source>
        <translation>
            <numerusform>%1 Schritt, %2 bis %3</numerusform>
            <numerusform>%1 Schritte, %2 bis %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>no whole step in this range</source>
        <translation>kein ganzer Schritt in diesem Bereich</translation>
    </message>
    <message>
        <source>; %1 on the host</source>
        <translation>; %1 auf dem Host</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <source>of one collective call</source>
        <translation>von einem kollektiven Aufruf</translation>
    </message>
    <message>
        <source>computes %1× as long as its peers</source>
        <translation>rechnet %1× so lange wie seine Vergleichsränge</translation>
    </message>
    <message>
        <source>%1%2 (%3)</source>
        <translation>%1%2 (%3)</translation>
    </message>
    <message>
        <source>%1 a step%2 (%3)</source>
        <translation>%1 je Schritt%2 (%3)</translation>
    </message>
    <message>
        <source>%1 once the others are dealt with</source>
        <translation>%1, sobald die anderen behoben sind</translation>
    </message>
    <message>
        <source>%1: cost %2.</source>
        <translation>%1: kostet %2.</translation>
    </message>
    <message>
        <source>%1: %2; %3.</source>
        <translation>%1: %2; %3.</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message numerus="yes">
        <source>%1 steps</source>
        <translation>
            <numerusform>%1 Schritt</numerusform>
            <numerusform>%1 Schritte</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PanelTexts</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Abfrage</translation>
    </message>
    <message>
        <source>What is known of the selected slice</source>
        <translation>Was vom gewählten Slice bekannt ist</translation>
    </message>
    <message>
        <source>What happens in the marked range</source>
        <translation>Was im markierten Bereich geschieht</translation>
    </message>
    <message>
        <source>Find events by name, and mark them</source>
        <translation>Ereignisse nach Namen suchen und markieren</translation>
    </message>
    <message>
        <source>Ask the run in SQL</source>
        <translation>Den Lauf mit SQL abfragen</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>Flame Graph</translation>
    </message>
    <message>
        <source>The calls below what is selected, with the GPU work that they launched</source>
        <translation>Die Aufrufe unter der Auswahl, mit der GPU-Arbeit, die sie gestartet haben</translation>
    </message>
</context>
<context>
    <name>PartTexts</name>
    <message>
        <source>Compute only</source>
        <translation>Nur Rechnen</translation>
    </message>
    <message>
        <source>A computing kernel or a memory set runs, and no communication.</source>
        <translation>Ein rechnender Kernel oder ein Memset läuft, und keine Kommunikation.</translation>
    </message>
    <message>
        <source>Overlapped</source>
        <translation>Überlappt</translation>
    </message>
    <message>
        <source>Communication runs hidden behind computing kernels.</source>
        <translation>Kommunikation läuft verdeckt hinter rechnenden Kerneln.</translation>
    </message>
    <message>
        <source>Communication and waiting</source>
        <translation>Kommunikation und Warten</translation>
    </message>
    <message>
        <source>Communication runs and nothing computes: the GPU waits for the network or for other ranks.</source>
        <translation>Kommunikation läuft und nichts rechnet: Die GPU wartet auf das Netz oder auf andere Ränge.</translation>
    </message>
    <message>
        <source>Memory copy</source>
        <translation>Speicherkopie</translation>
    </message>
    <message>
        <source>A memory copy runs, and neither compute nor communication.</source>
        <translation>Eine Speicherkopie läuft, und weder Rechnen noch Kommunikation.</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Nothing runs on the GPU between its first and its last event.</source>
        <translation>Nichts läuft auf der GPU zwischen ihrem ersten und letzten Ereignis.</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>%1 cannot be removed</source>
        <translation>%1 kann nicht entfernt werden</translation>
    </message>
    <message>
        <source>%1 cannot be written; choose another place</source>
        <translation>%1 kann nicht geschrieben werden; wählen Sie einen anderen Ort</translation>
    </message>
    <message>
        <source>%1 holds no settings of Rankscope; choose a file that Export wrote</source>
        <translation>%1 enthält keine Einstellungen von Rankscope; wählen Sie eine Datei, die Exportieren geschrieben hat</translation>
    </message>
    <message>
        <source>What changed, in words</source>
        <translation>Was sich geändert hat, in Worten</translation>
    </message>
</context>
<context>
    <name>ScreenTexts</name>
    <message>
        <source>&amp;Overview</source>
        <translation>&amp;Übersicht</translation>
    </message>
    <message>
        <source>Show the overview</source>
        <translation>Übersicht zeigen</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitachse</translation>
    </message>
    <message>
        <source>Show the timeline</source>
        <translation>Zeitachse zeigen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>Show runs side by side</source>
        <translation>Läufe nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Co&amp;llectives</source>
        <translation>&amp;Kollektiven</translation>
    </message>
    <message>
        <source>Show every collective call: who was late, how fast it was</source>
        <translation>Jede Kollektive zeigen: wer spät war, wie schnell sie war</translation>
    </message>
    <message>
        <source>&amp;Pipeline</source>
        <translation>&amp;Pipeline</translation>
    </message>
    <message>
        <source>Show the stages of a pipeline beside the ideal schedule</source>
        <translation>Die Stufen einer Pipeline neben dem idealen Ablauf zeigen</translation>
    </message>
    <message>
        <source>&amp;Kernels</source>
        <translation>K&amp;ernel</translation>
    </message>
    <message>
        <source>Show kernels and operators: how long, how often, launched by whom</source>
        <translation>Kernel und Operatoren zeigen: wie lange, wie oft, von wem gestartet</translation>
    </message>
    <message>
        <source>Me&amp;mory</source>
        <translation>&amp;Speicher</translation>
    </message>
    <message>
        <source>Show what the allocator held, and which operators made it</source>
        <translation>Zeigen, was der Allokator hielt und welche Operatoren es angelegt haben</translation>
    </message>
    <message>
        <source>&amp;Workers</source>
        <translation>&amp;Worker</translation>
    </message>
    <message>
        <source>Show which worker or stage slows the job down, on its mesh</source>
        <translation>Zeigen, welcher Worker oder welche Stufe den Job bremst, auf seinem Mesh</translation>
    </message>
    <message>
        <source>&amp;Serving</source>
        <translation>Serv&amp;ing</translation>
    </message>
    <message>
        <source>Show the steps of a serving engine, and what stalls them</source>
        <translation>Die Schritte eines Serving-Systems zeigen und was sie aufhält</translation>
    </message>
    <message>
        <source>St&amp;udy</source>
        <translation>St&amp;udie</translation>
    </message>
    <message>
        <source>Show any number of runs as one series: metrics over date, world size or any setting</source>
        <translation>Beliebig viele Läufe als eine Reihe zeigen: Metriken über Datum, World Size oder eine Einstellung</translation>
    </message>
    <message>
        <source>&amp;Hang</source>
        <translation>&amp;Hänger</translation>
    </message>
    <message>
        <source>Show which rank did not come, and who waits for whom</source>
        <translation>Zeigen, welcher Rang nicht kam und wer auf wen wartet</translation>
    </message>
</context>
<context>
    <name>SettingTexts</name>
    <message>
        <source>Own font</source>
        <translation>Eigene Schrift</translation>
    </message>
    <message>
        <source>&amp;Font</source>
        <translation>&amp;Schrift</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thema</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Light or dark, always or as the desktop is</source>
        <translation>Hell oder dunkel, immer oder wie die Arbeitsumgebung</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Of the window; from the next start</source>
        <translation>Des Fensters; ab dem nächsten Start</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>Okabe–Ito</source>
        <translation>Okabe–Ito</translation>
    </message>
    <message>
        <source>Bright (Tol)</source>
        <translation>Leuchtend (Tol)</translation>
    </message>
    <message>
        <source>Medium contrast (Tol)</source>
        <translation>Mittlerer Kontrast (Tol)</translation>
    </message>
    <message>
        <source>All are colour-blind-safe; medium contrast can be told apart in grey too</source>
        <translation>Alle sind bei Farbfehlsichtigkeit unterscheidbar; mittlerer Kontrast auch in Grau</translation>
    </message>
    <message>
        <source>A font in place of the desktop&apos;s</source>
        <translation>Eine Schrift statt der der Arbeitsumgebung</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Font &amp;size</source>
        <translation>Schrift&amp;größe</translation>
    </message>
    <message>
        <source>Of the text in the window</source>
        <translation>Des Textes im Fenster</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>S&amp;cale of everything</source>
        <translation>S&amp;kalierung von allem</translation>
    </message>
    <message>
        <source>Text, lines and distances; from the next start</source>
        <translation>Text, Linien und Abstände; ab dem nächsten Start</translation>
    </message>
    <message>
        <source>All cores (%1)</source>
        <translation>Alle Kerne (%1)</translation>
    </message>
    <message>
        <source>&amp;Threads while reading</source>
        <translation>&amp;Threads beim Lesen</translation>
    </message>
    <message>
        <source>How many threads read files; from the next run that is read</source>
        <translation>Wie viele Threads Dateien lesen; ab dem nächsten Lauf, der gelesen wird</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>70 % of the machine&apos;s (%1)</source>
        <translation>70 % des Rechners (%1)</translation>
    </message>
    <message>
        <source>&amp;Memory for a run</source>
        <translation>&amp;Speicher je Lauf</translation>
    </message>
    <message>
        <source>Ranks beyond it stay on disk; from the next run that is read</source>
        <translation>Ränge darüber hinaus bleiben auf der Platte; ab dem nächsten Lauf, der gelesen wird</translation>
    </message>
    <message>
        <source>Which names of kernels are of which class</source>
        <translation>Welche Kernelnamen zu welcher Klasse gehören</translation>
    </message>
    <message>
        <source>What a device can do at most</source>
        <translation>Was ein Gerät höchstens kann</translation>
    </message>
    <message>
        <source>&amp;Zooming by held keys</source>
        <translation>&amp;Zoomen mit gehaltener Taste</translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation>Fließend</translation>
    </message>
    <message>
        <source>In steps</source>
        <translation>In Schritten</translation>
    </message>
    <message>
        <source>In steps: the timeline zooms and moves without animation</source>
        <translation>In Schritten: Die Zeitachse zoomt und wandert ohne Animation</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
    <message>
        <source>&amp;GPUs per machine</source>
        <translation>&amp;GPUs je Maschine</translation>
    </message>
    <message>
        <source>How many ranks in a row share a machine, of runs that do not tell</source>
        <translation>Wie viele Ränge hintereinander sich eine Maschine teilen, bei Läufen, die es nicht sagen</translation>
    </message>
</context>
<context>
    <name>ShareTexts</name>
    <message>
        <source>computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>exposed communication, waiting included</source>
        <translation>unverdeckte Kommunikation, mit Warten</translation>
    </message>
    <message>
        <source>copies that nothing hides</source>
        <translation>Kopien, die nichts verdeckt</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
</context>
<context>
    <name>SliceTexts</name>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>memory copy</source>
        <translation>Speicherkopie</translation>
    </message>
    <message>
        <source>memory set</source>
        <translation>Memset</translation>
    </message>
    <message>
        <source>CPU operator</source>
        <translation>CPU-Operator</translation>
    </message>
    <message>
        <source>annotation</source>
        <translation>Annotation</translation>
    </message>
    <message>
        <source>runtime call</source>
        <translation>Runtime-Aufruf</translation>
    </message>
    <message>
        <source>Python frame</source>
        <translation>Python-Frame</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
</context>
<context>
    <name>WaitCause</name>
    <message>
        <source>computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>memory copy</source>
        <translation>Speicherkopie</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>data loading</source>
        <translation>Laden der Daten</translation>
    </message>
    <message>
        <source>garbage collection</source>
        <translation>Garbage Collection</translation>
    </message>
    <message>
        <source>allocation</source>
        <translation>Allokation</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Launch</translation>
    </message>
    <message>
        <source>synchronisation</source>
        <translation>Synchronisation</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>gap between operations</source>
        <translation>Lücke zwischen Operationen</translation>
    </message>
</context>
<context>
    <name>WindowParts</name>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Saved %1 (only %2)</source>
        <translation>%1 gespeichert (nur %2)</translation>
    </message>
</context>
<context>
    <name>rankscope::AnalysisPage</name>
    <message>
        <source>&amp;Apply</source>
        <translation>&amp;Anwenden</translation>
    </message>
    <message>
        <source>Kernel name contains (regular expression)</source>
        <translation>Kernelname enthält (regulärer Ausdruck)</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Own kernel classes</source>
        <translation>Eigene Kernelklassen</translation>
    </message>
    <message>
        <source>Device name contains</source>
        <translation>Gerätename enthält</translation>
    </message>
    <message>
        <source>FP8</source>
        <translation>FP8</translation>
    </message>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>FP32</source>
        <translation>FP32</translation>
    </message>
    <message>
        <source>Memory TB/s</source>
        <translation>Speicher TB/s</translation>
    </message>
    <message>
        <source>Own peaks of devices</source>
        <translation>Eigene Spitzenwerte von Geräten</translation>
    </message>
    <message>
        <source>Kernels that Rankscope takes for something else. The first pattern that matches decides, in the window and in --batch.</source>
        <translation>Kernel, die Rankscope für etwas anderes hält. Das erste passende Muster entscheidet, im Fenster und in --batch.</translation>
    </message>
    <message>
        <source>a kernel class</source>
        <translation>Kernelklasse</translation>
    </message>
    <message>
        <source>Peaks of a device, dense, in TFLOP/s: what MFU and roofline compare with. Empty: the built-in figure.</source>
        <translation>Spitzenwerte eines Geräts, dicht besetzt, in TFLOP/s: der Maßstab für MFU und Roofline. Leer: der eingebaute Wert.</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>A pattern is empty: fill it in or remove the row.</source>
        <translation>Ein Muster ist leer: ausfüllen oder die Zeile entfernen.</translation>
    </message>
    <message>
        <source>A device has no name: fill it in or remove the row.</source>
        <translation>Ein Gerät hat keinen Namen: ausfüllen oder die Zeile entfernen.</translation>
    </message>
    <message>
        <source>%1: %2 is not a number, such as 989 or 3.35</source>
        <translation>%1: %2 ist keine Zahl wie 989 oder 3.35</translation>
    </message>
    <message>
        <source>Apply analyses the open runs again.</source>
        <translation>Anwenden wertet die offenen Läufe neu aus.</translation>
    </message>
</context>
<context>
    <name>rankscope::AnalysisScreen</name>
    <message>
        <source>Adding up…</source>
        <translation>Wird ausgewertet …</translation>
    </message>
    <message>
        <source>This screen cannot be filled</source>
        <translation>Diese Ansicht kann nicht gefüllt werden</translation>
    </message>
</context>
<context>
    <name>rankscope::BandwidthPlot</name>
    <message>
        <source>Bus bandwidth against message size</source>
        <translation>Busbandbreite über Nachrichtengröße</translation>
    </message>
    <message>
        <source>message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>bus GB/s</source>
        <translation>Bus GB/s</translation>
    </message>
    <message>
        <source>scale-up %1 GB/s (card)</source>
        <translation>Scale-up %1 GB/s (Karte)</translation>
    </message>
    <message>
        <source>scale-out %1 GB/s (card)</source>
        <translation>Scale-out %1 GB/s (Karte)</translation>
    </message>
    <message>
        <source>no call of known size</source>
        <translation>kein Aufruf bekannter Größe</translation>
    </message>
    <message>
        <source>%1, %2: %3 GB/s in %4</source>
        <translation>%1, %2: %3 GB/s in %4</translation>
    </message>
    <message numerus="yes">
        <source>%1 calls here; call %2 is the first</source>
        <translation>
            <numerusform>%1 Aufruf hier; der erste ist Aufruf %2</numerusform>
            <numerusform>%1 Aufrufe hier; der erste ist Aufruf %2</numerusform>
        </translation>
    </message>
    <message>
        <source>call %1</source>
        <translation>Aufruf %1</translation>
    </message>
    <message>
        <source>%1, nccl-tests</source>
        <translation>%1, nccl-tests</translation>
    </message>
    <message>
        <source>%1; of one traced rank, so that its wait counts: lower bounds</source>
        <translation>%1; nur ein Rang aufgezeichnet, sein Warten zählt mit: untere Schranken</translation>
    </message>
</context>
<context>
    <name>rankscope::BookmarksModel</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
</context>
<context>
    <name>rankscope::BookmarksPanel</name>
    <message>
        <source>Bookmarks</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>No bookmarks yet. M in the timeline marks what is in view.</source>
        <translation>Noch keine Lesezeichen. M in der Zeitachse merkt sich, was zu sehen ist.</translation>
    </message>
    <message>
        <source>&amp;Go there</source>
        <translation>&amp;Hingehen</translation>
    </message>
    <message>
        <source>Edit the &amp;note</source>
        <translation>&amp;Notiz bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>&amp;Compare its range</source>
        <translation>Seinen Bereich &amp;vergleichen</translation>
    </message>
</context>
<context>
    <name>rankscope::CallFilterBar</name>
    <message>
        <source>%1 (ranks %2)</source>
        <translation>%1 (Ränge %2)</translation>
    </message>
    <message>
        <source>Kind of collective</source>
        <translation>Art der Kollektive</translation>
    </message>
    <message>
        <source>Dimension of parallelism</source>
        <translation>Dimension der Parallelität</translation>
    </message>
    <message>
        <source>Process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>Filter by name, group or type</source>
        <translation>Nach Name, Gruppe oder Typ filtern</translation>
    </message>
    <message>
        <source>Filter calls by text</source>
        <translation>Aufrufe nach Text filtern</translation>
    </message>
    <message>
        <source>Calls shown</source>
        <translation>Gezeigte Aufrufe</translation>
    </message>
    <message>
        <source>All collectives</source>
        <translation>Alle Kollektiven</translation>
    </message>
    <message>
        <source>Collectives and messages</source>
        <translation>Kollektiven und Nachrichten</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>Alle Nachrichten</translation>
    </message>
    <message>
        <source>All dimensions</source>
        <translation>Alle Dimensionen</translation>
    </message>
    <message>
        <source>unknown dimension</source>
        <translation>unbekannte Dimension</translation>
    </message>
    <message>
        <source>All groups</source>
        <translation>Alle Gruppen</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 calls</source>
        <translation>
            <numerusform>%1 von %2 Aufruf</numerusform>
            <numerusform>%1 von %2 Aufrufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2 kernels on all ranks)</source>
        <translation>
            <numerusform>%1 (%2 Kernel auf allen Rängen)</numerusform>
            <numerusform>%1 (%2 Kernel auf allen Rängen)</numerusform>
        </translation>
    </message>
    <message>
        <source>All calls, also of unknown kind</source>
        <translation>Alle Aufrufe, auch unbekannter Art</translation>
    </message>
    <message>
        <source>%1 (1 kernel on all ranks)</source>
        <translation>%1 (1 Kernel auf allen Rängen)</translation>
    </message>
</context>
<context>
    <name>rankscope::CaptureController</name>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>Other ca&amp;pture of this run…</source>
        <translation>Andere &amp;Aufzeichnung dieses Laufs …</translation>
    </message>
    <message>
        <source>The same run as another tool recorded it: PyTorch profiler, Nsight Systems, text of nsys stats</source>
        <translation>Derselbe Lauf, wie ihn ein anderes Werkzeug aufgezeichnet hat: PyTorch-Profiler, Nsight Systems, Text von nsys stats</translation>
    </message>
    <message>
        <source>Compare the captures of &amp;this run</source>
        <translation>Die Aufzeichnungen dieses &amp;Laufs vergleichen</translation>
    </message>
    <message>
        <source>Put what several tools recorded of this run side by side</source>
        <translation>Was mehrere Werkzeuge von diesem Lauf aufgezeichnet haben, nebeneinander stellen</translation>
    </message>
</context>
<context>
    <name>rankscope::ChangeWaterfall</name>
    <message>
        <source>From the baseline&apos;s step to the test&apos;s: %1</source>
        <translation>Vom Schritt der Basis zu dem des Tests: %1</translation>
    </message>
    <message>
        <source>The axis does not start at 0.</source>
        <translation>Die Achse beginnt nicht bei 0.</translation>
    </message>
</context>
<context>
    <name>rankscope::ClassLegend</name>
    <message>
        <source>Legend: %1; empty is idle</source>
        <translation>Legende: %1; leer ist untätig</translation>
    </message>
    <message>
        <source>A colour for each name; where several share a column:</source>
        <translation>Eine Farbe für jeden Namen; wo sich mehrere eine Spalte teilen:</translation>
    </message>
    <message>
        <source>A colour for each operator; where several share a column:</source>
        <translation>Eine Farbe für jeden Operator; wo sich mehrere eine Spalte teilen:</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
</context>
<context>
    <name>rankscope::CollectiveCallModel</name>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>In order of the first arrival</source>
        <translation>In der Reihenfolge der ersten Ankunft</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>First arrival, from the run&apos;s first event</source>
        <translation>Erste Ankunft, ab dem ersten Ereignis des Laufs</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>As recorded; else what the kernel&apos;s name says</source>
        <translation>Wie aufgezeichnet; sonst was der Kernelname sagt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>Dim.</source>
        <translation>Dim.</translation>
    </message>
    <message>
        <source>Dimension of the parallel mesh that the group serves</source>
        <translation>Dimension des Mesh, der die Gruppe dient</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Type of the elements</source>
        <translation>Typ der Elemente</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>The whole message of a member</source>
        <translation>Die ganze Nachricht eines Mitglieds</translation>
    </message>
    <message>
        <source>Bus GB/s</source>
        <translation>Bus GB/s</translation>
    </message>
    <message>
        <source>Bus bandwidth as nccl-tests counts it, 10⁹ bytes a second</source>
        <translation>Busbandbreite, wie nccl-tests sie zählt, 10⁹ Bytes je Sekunde</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfer</translation>
    </message>
    <message>
        <source>Duration of the shortest kernel. The others last longer: they wait for the last rank</source>
        <translation>Dauer des kürzesten Kernels. Die anderen dauern länger: Sie warten auf den letzten Rang</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Lag</translation>
    </message>
    <message>
        <source>Last arrival after the first</source>
        <translation>Letzte Ankunft nach der ersten</translation>
    </message>
    <message>
        <source>Last rank</source>
        <translation>Letzter</translation>
    </message>
    <message>
        <source>The rank that the others waited for</source>
        <translation>Der Rang, auf den die anderen gewartet haben</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Members that are in the trace</source>
        <translation>Mitglieder, die im Trace sind</translation>
    </message>
    <message>
        <source>The kernels of this call last %1 to %2, with the wait for the last rank.</source>
        <translation>Die Kernel dieses Aufrufs dauern %1 bis %2, mit dem Warten auf den letzten Rang.</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>The rank whose delay started the waiting in this call, and what it did; the last rank may have waited for it itself</source>
        <translation>Der Rang, dessen Verzögerung das Warten in diesem Aufruf ausgelöst hat, und was er tat; der letzte Rang hat vielleicht selbst darauf gewartet</translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation>Rang %1, %2</translation>
    </message>
</context>
<context>
    <name>rankscope::CollectivesScreen</name>
    <message>
        <source>Collectives</source>
        <translation>Kollektiven</translation>
    </message>
    <message>
        <source>Click on the map</source>
        <translation>Klick auf die Karte</translation>
    </message>
    <message>
        <source>Show the call in the timeline, with all its ranks</source>
        <translation>Den Aufruf in der Zeitachse zeigen, mit allen Rängen</translation>
    </message>
    <message>
        <source>Ctrl+wheel, W / S</source>
        <translation>Strg+Rad, W / S</translation>
    </message>
    <message>
        <source>Zoom the map</source>
        <translation>Karte zoomen</translation>
    </message>
    <message>
        <source>Wheel, drag, A / D</source>
        <translation>Rad, Ziehen, A / D</translation>
    </message>
    <message>
        <source>Move along the map</source>
        <translation>Karte verschieben</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>All calls in the map</source>
        <translation>Alle Aufrufe in der Karte</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>Pfeile</translation>
    </message>
    <message>
        <source>Go from call to call and rank to rank in the map</source>
        <translation>In der Karte von Aufruf zu Aufruf und Rang zu Rang gehen</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>Show the marked call in the timeline</source>
        <translation>Den markierten Aufruf in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>Collective calls</source>
        <translation>Aufrufe von Kollektiven</translation>
    </message>
    <message>
        <source>No collective calls</source>
        <translation>Keine Kollektiven</translation>
    </message>
    <message>
        <source>No communication kernel was matched between two ranks, and none belongs to a group with one traced rank. Record every rank, each into a file of its own, with CPU and GPU activity, which has the arguments of the calls:

torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])

prof.export_chrome_trace(f&quot;my_run/rank{rank}.json.gz&quot;)</source>
        <translation>Kein Kommunikationskernel wurde zwischen zwei Rängen zugeordnet, und keiner gehört zu einer Gruppe mit nur einem aufgezeichneten Rang. Zeichnen Sie jeden Rang auf, jeden in eine eigene Datei, mit CPU- und GPU-Aktivität; dann stehen die Argumente der Aufrufe darin:

torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])

prof.export_chrome_trace(f&quot;my_run/rank{rank}.json.gz&quot;)</translation>
    </message>
</context>
<context>
    <name>rankscope::ComparePage</name>
    <message>
        <source>Views of the comparison</source>
        <translation>Ansichten des Vergleichs</translation>
    </message>
    <message>
        <source>&amp;Linked timelines</source>
        <translation>&amp;Gekoppelte Zeitachsen</translation>
    </message>
    <message>
        <source>Modules of both runs</source>
        <translation>Module beider Läufe</translation>
    </message>
    <message>
        <source>&amp;Modules</source>
        <translation>&amp;Module</translation>
    </message>
    <message>
        <source>&amp;Baseline</source>
        <translation>&amp;Basis</translation>
    </message>
    <message>
        <source>Run that is the baseline</source>
        <translation>Lauf, der die Basis ist</translation>
    </message>
    <message>
        <source>Swap baseline and test</source>
        <translation>Basis und Test tauschen</translation>
    </message>
    <message>
        <source>Run that is compared with the baseline</source>
        <translation>Lauf, der mit der Basis verglichen wird</translation>
    </message>
    <message>
        <source>Add run</source>
        <translation>Lauf hinzufügen</translation>
    </message>
    <message>
        <source>Compare a further run with the baseline</source>
        <translation>Einen weiteren Lauf mit der Basis vergleichen</translation>
    </message>
    <message>
        <source>&amp;Details of</source>
        <translation>&amp;Details von</translation>
    </message>
    <message>
        <source>Test whose details the tabs show</source>
        <translation>Test, dessen Details die Reiter zeigen</translation>
    </message>
    <message>
        <source>Configuration: 1 difference</source>
        <translation>Konfiguration: 1 Unterschied</translation>
    </message>
    <message numerus="yes">
        <source>Configuration: %1 differences</source>
        <translation>
            <numerusform>Konfiguration: %1 Unterschied</numerusform>
            <numerusform>Konfiguration: %1 Unterschiede</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a kernel to see how its durations are spread in both runs.</source>
        <translation>Wählen Sie einen Kernel, um die Verteilung seiner Dauern in beiden Läufen zu sehen.</translation>
    </message>
    <message>
        <source>Copy as tab-separated text</source>
        <translation>Als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>What changed, in words</source>
        <translation>Was sich geändert hat, in Worten</translation>
    </message>
    <message>
        <source>Metrics of the compared runs</source>
        <translation>Metriken der verglichenen Läufe</translation>
    </message>
    <message>
        <source>Show only metrics of this status</source>
        <translation>Nur Metriken mit diesem Status zeigen</translation>
    </message>
    <message>
        <source>All metrics</source>
        <translation>Alle Metriken</translation>
    </message>
    <message>
        <source>Worse</source>
        <translation>Schlechter</translation>
    </message>
    <message>
        <source>Better</source>
        <translation>Besser</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Similar</source>
        <translation>Ähnlich</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Configuration of both runs</source>
        <translation>Konfiguration beider Läufe</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Show &amp;equal</source>
        <translation>&amp;Gleiche zeigen</translation>
    </message>
    <message>
        <source>Operators and kernels of both runs</source>
        <translation>Operatoren und Kernel beider Läufe</translation>
    </message>
    <message>
        <source>Filter names</source>
        <translation>Namen filtern</translation>
    </message>
    <message>
        <source>Filter operators and kernels by name</source>
        <translation>Operatoren und Kernel nach Namen filtern</translation>
    </message>
    <message>
        <source>Show only this device</source>
        <translation>Nur dieses Gerät zeigen</translation>
    </message>
    <message>
        <source>GPU and CPU</source>
        <translation>GPU und CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Baseline (%1)</source>
        <translation>Basis (%1)</translation>
    </message>
    <message>
        <source>Test (%1)</source>
        <translation>Test (%1)</translation>
    </message>
    <message>
        <source>Difference (%1)</source>
        <translation>Differenz (%1)</translation>
    </message>
    <message>
        <source>Change %</source>
        <translation>Änderung %</translation>
    </message>
    <message>
        <source>Modules of the same place in both models; largest change first</source>
        <translation>Module an derselben Stelle in beiden Modellen; größte Änderung zuerst</translation>
    </message>
    <message>
        <source>Summed durations of its GPU work, with the modules inside, mean over the traced ranks</source>
        <translation>Summe der Dauern seiner GPU-Arbeit, mit den inneren Modulen, Mittel über die aufgezeichneten Ränge</translation>
    </message>
    <message>
        <source>The same of the test</source>
        <translation>Dasselbe vom Test</translation>
    </message>
    <message>
        <source>Test less baseline</source>
        <translation>Test minus Basis</translation>
    </message>
    <message>
        <source>Of the baseline</source>
        <translation>Der Basis</translation>
    </message>
    <message>
        <source>Without the modules inside</source>
        <translation>Ohne die inneren Module</translation>
    </message>
    <message>
        <source>Durations are shown for kernels, copies and sets; %1 runs on the CPU.</source>
        <translation>Dauern gibt es für Kernel, Kopien und Memsets; %1 läuft auf der CPU.</translation>
    </message>
    <message>
        <source>Own, baseline (%1)</source>
        <translation>Eigene, Basis (%1)</translation>
    </message>
    <message>
        <source>Own, test (%1)</source>
        <translation>Eigene, Test (%1)</translation>
    </message>
    <message>
        <source>Allocated (MB)</source>
        <translation>Belegt (MB)</translation>
    </message>
    <message>
        <source>Test (MB)</source>
        <translation>Test (MB)</translation>
    </message>
    <message>
        <source>By operators in it, mean over the traced ranks of the baseline</source>
        <translation>Von seinen Operatoren, Mittel über die aufgezeichneten Ränge der Basis</translation>
    </message>
    <message>
        <source>Two runs are needed</source>
        <translation>Zwei Läufe sind nötig</translation>
    </message>
    <message>
        <source>Choose two different runs above.</source>
        <translation>Wählen Sie oben zwei verschiedene Läufe.</translation>
    </message>
    <message>
        <source>Show 1 row without a difference</source>
        <translation>1 Zeile ohne Unterschied zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show %1 rows without a difference</source>
        <translation>
            <numerusform>%1 Zeile ohne Unterschied zeigen</numerusform>
            <numerusform>%1 Zeilen ohne Unterschied zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Against the first</source>
        <translation>Gegen den ersten</translation>
    </message>
    <message>
        <source>Against the best</source>
        <translation>Gegen den besten</translation>
    </message>
    <message>
        <source>Cha&amp;nges</source>
        <translation>Ä&amp;nderungen</translation>
    </message>
    <message>
        <source>Ope&amp;rators and kernels</source>
        <translation>Ope&amp;ratoren und Kernel</translation>
    </message>
    <message>
        <source>T&amp;est</source>
        <translation>T&amp;est</translation>
    </message>
    <message>
        <source>Memor&amp;y</source>
        <translation>S&amp;peicher</translation>
    </message>
    <message>
        <source>Drop a second run or folder here, or open one.</source>
        <translation>Ziehen Sie einen zweiten Lauf oder Ordner hierher, oder öffnen Sie einen.</translation>
    </message>
    <message>
        <source>Drop a run or folder here, or choose both runs above.</source>
        <translation>Ziehen Sie einen Lauf oder Ordner hierher, oder wählen Sie oben beide Läufe.</translation>
    </message>
</context>
<context>
    <name>rankscope::CompareScreenController</name>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>&amp;Compare the selected runs</source>
        <translation>&amp;Gewählte Läufe vergleichen</translation>
    </message>
    <message>
        <source>Put the runs selected in the list side by side; the upper one is the baseline</source>
        <translation>Die in der Liste gewählten Läufe nebeneinander stellen; der obere ist die Basis</translation>
    </message>
    <message>
        <source>&amp;Swap baseline and test</source>
        <translation>&amp;Basis und Test tauschen</translation>
    </message>
    <message>
        <source>Make the test the baseline, and the baseline the test</source>
        <translation>Den Test zur Basis machen und die Basis zum Test</translation>
    </message>
</context>
<context>
    <name>rankscope::ComparisonController</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 kann nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be analysed: %2</source>
        <translation>%1 kann nicht ausgewertet werden: %2</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen …</translation>
    </message>
    <message>
        <source>Adding up…</source>
        <translation>Wird ausgewertet …</translation>
    </message>
</context>
<context>
    <name>rankscope::ConfigChangeModel</name>
    <message>
        <source>= equal</source>
        <translation>= gleich</translation>
    </message>
    <message>
        <source>only in the baseline</source>
        <translation>nur in der Basis</translation>
    </message>
    <message>
        <source>only in the test</source>
        <translation>nur im Test</translation>
    </message>
    <message>
        <source>◆ changed</source>
        <translation>◆ geändert</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>May explain</source>
        <translation>Mögliche Folge</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>%1 SMs</source>
        <translation>%1 SMs</translation>
    </message>
    <message>
        <source>◆ changed: %1 of %2</source>
        <translation>◆ geändert: %1 von %2</translation>
    </message>
    <message>
        <source>%1 keys, in the rows below it when it is opened</source>
        <translation>%1 Schlüssel, in den Zeilen darunter, wenn sie aufgeklappt ist</translation>
    </message>
</context>
<context>
    <name>rankscope::DelayHistogram</name>
    <message>
        <source>Launch delays</source>
        <translation>Launch-Verzögerungen</translation>
    </message>
    <message>
        <source>No launches</source>
        <translation>Keine Launches</translation>
    </message>
    <message numerus="yes">
        <source>%1 launches: median %2, 95 % within %3, longest %4</source>
        <translation>
            <numerusform>%1 Launch: Median %2, 95 % binnen %3, längster %4</numerusform>
            <numerusform>%1 Launches: Median %2, 95 % binnen %3, längster %4</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 to %2: %3 launches</source>
        <translation>%1 bis %2: %3 Launches</translation>
    </message>
    <message>
        <source>From the start of the call to the start on the GPU, logarithmic</source>
        <translation>Vom Beginn des Aufrufs bis zum Beginn auf der GPU, logarithmisch</translation>
    </message>
    <message>
        <source>From the start of the call to the start on the GPU</source>
        <translation>Vom Beginn des Aufrufs bis zum Beginn auf der GPU</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>95 % within %1</source>
        <translation>95 % binnen %1</translation>
    </message>
    <message>
        <source>1 launch: %1</source>
        <translation>1 Launch: %1</translation>
    </message>
</context>
<context>
    <name>rankscope::DelayPlot</name>
    <message>
        <source>Delay of collective calls</source>
        <translation>Verzögerung der Kollektiven</translation>
    </message>
    <message>
        <source>Delay of a call: what its longest kernel has more than its shortest</source>
        <translation>Verzögerung eines Aufrufs: um wie viel sein längster Kernel länger dauert als sein kürzester</translation>
    </message>
    <message>
        <source>delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>calls (bars)</source>
        <translation>Aufrufe (Balken)</translation>
    </message>
    <message>
        <source>% of calls (line)</source>
        <translation>% der Aufrufe (Linie)</translation>
    </message>
    <message>
        <source>no calls on two ranks or more</source>
        <translation>keine Aufrufe auf zwei oder mehr Rängen</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Longest minus shortest kernel of a call</source>
        <translation>Längster minus kürzester Kernel eines Aufrufs</translation>
    </message>
    <message>
        <source>%1 · mean %2, median %3, p95 %4</source>
        <translation>%1 · Mittel %2, Median %3, p95 %4</translation>
    </message>
</context>
<context>
    <name>rankscope::DetailsModel</name>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>rankscope::DetailsPanel</name>
    <message>
        <source>Name of the selected event</source>
        <translation>Name des gewählten Ereignisses</translation>
    </message>
    <message>
        <source>Details of the selected event</source>
        <translation>Details des gewählten Ereignisses</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Durations of this name</source>
        <translation>Dauern dieses Namens</translation>
    </message>
    <message>
        <source>Click a slice in the timeline to see its times, launch and arguments.</source>
        <translation>Klicken Sie auf einen Slice der Zeitachse: Hier stehen dann Zeiten, Launch und Argumente.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter the details</source>
        <translation>Details filtern</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>Zeilen &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;value</source>
        <translation>&amp;Wert kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;all</source>
        <translation>&amp;Alles kopieren</translation>
    </message>
    <message>
        <source>Looking for the other ranks&apos; calls…</source>
        <translation>Aufrufe der anderen Ränge werden gesucht …</translation>
    </message>
    <message>
        <source>The other ranks&apos; calls appear when the run has been read and added up.</source>
        <translation>Die Aufrufe der anderen Ränge erscheinen, wenn der Lauf gelesen und ausgewertet ist.</translation>
    </message>
    <message>
        <source>This call was found on no other rank.</source>
        <translation>Dieser Aufruf wurde auf keinem anderen Rang gefunden.</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>Nicht gelesen</translation>
    </message>
</context>
<context>
    <name>rankscope::DifferenceTrack</name>
    <message>
        <source>computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>unverdeckte Kommunikation</translation>
    </message>
    <message>
        <source>exposed copies</source>
        <translation>unverdeckte Kopien</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>Difference of the two runs by phase of the step</source>
        <translation>Differenz der zwei Läufe nach Phase des Schritts</translation>
    </message>
    <message>
        <source>Difference: no steps to compare</source>
        <translation>Differenz: keine Schritte zu vergleichen</translation>
    </message>
    <message>
        <source>%1 to %2 of the step, test − baseline, mean of a step</source>
        <translation>%1 bis %2 des Schritts, Test − Basis, Mittel eines Schritts</translation>
    </message>
    <message>
        <source>Test − baseline
by phase of a step
±%1 a bar</source>
        <translation>Test − Vergleichslauf
nach Phase eines Schritts
±%1 je Balken</translation>
    </message>
</context>
<context>
    <name>rankscope::DurationHistogramView</name>
    <message>
        <source>Histogram of durations</source>
        <translation>Histogramm der Dauern</translation>
    </message>
    <message>
        <source>The only one of its name</source>
        <translation>Das einzige dieses Namens</translation>
    </message>
    <message>
        <source>Longer than %1 of %2</source>
        <translation>Länger als %1 von %2</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>logarithmisch</translation>
    </message>
</context>
<context>
    <name>rankscope::EfficiencyView</name>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Look at</source>
        <translation>Sehen Sie nach bei</translation>
    </message>
    <message>
        <source>Parallel efficiency</source>
        <translation>Parallele Effizienz</translation>
    </message>
    <message>
        <source>Click: show the evidence</source>
        <translation>Klick: zeigt, woran es zu sehen ist</translation>
    </message>
</context>
<context>
    <name>rankscope::ErrorMarks</name>
    <message>
        <source>GPU error: %1</source>
        <translation>Fehler der GPU: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 more at this place</source>
        <translation>
            <numerusform>%1 weiterer an dieser Stelle</numerusform>
            <numerusform>%1 weitere an dieser Stelle</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1 · kernel log · at %2</source>
        <translation>Rang %1 · Kernel-Log · bei %2</translation>
    </message>
</context>
<context>
    <name>rankscope::ExportController</name>
    <message>
        <source>Save &amp;report…</source>
        <translation>Be&amp;richt speichern …</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>Workbook (*.xlsx)</source>
        <translation>Arbeitsmappe (*.xlsx)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>Write a table or plot that is on screen, or all metrics, to a file</source>
        <translation>Eine Tabelle oder ein Diagramm vom Bildschirm oder alle Metriken in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Export &amp;metrics CSV…</source>
        <translation>Me&amp;triken als CSV exportieren …</translation>
    </message>
    <message>
        <source>Write all metrics of the open run to a CSV file</source>
        <translation>Alle Metriken des offenen Laufs in eine CSV-Datei schreiben</translation>
    </message>
    <message>
        <source>Export &amp;trace for Perfetto…</source>
        <translation>Trace für &amp;Perfetto exportieren …</translation>
    </message>
    <message>
        <source>Write all ranks, with flows, counters, steps, waits and findings, as one trace</source>
        <translation>Alle Ränge mit Verbindungen, Zählern, Schritten, Warten und Befunden als einen Trace schreiben</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Time of each rank</source>
        <translation>Zeit jedes Rangs</translation>
    </message>
    <message>
        <source>Export metrics</source>
        <translation>Metriken exportieren</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export trace for Perfetto</source>
        <translation>Trace für Perfetto exportieren</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Nothing to export yet: open a run first.</source>
        <translation>Noch nichts zu exportieren: Öffnen Sie zuerst einen Lauf.</translation>
    </message>
    <message>
        <source>Chrome trace (*.json.gz *.json);;Perfetto trace (*.pftrace)</source>
        <translation>Chrome-Trace (*.json.gz *.json);;Perfetto-Trace (*.pftrace)</translation>
    </message>
    <message>
        <source>All metrics of the run</source>
        <translation>Alle Metriken des Laufs</translation>
    </message>
    <message>
        <source>All metrics (%1)</source>
        <translation>Alle Metriken (%1)</translation>
    </message>
    <message>
        <source>Save report (only %1)</source>
        <translation>Bericht speichern (nur %1)</translation>
    </message>
    <message>
        <source>range %1</source>
        <translation>Bereich %1</translation>
    </message>
    <message>
        <source>steps %1</source>
        <translation>Schritte %1</translation>
    </message>
    <message>
        <source>range %1, steps %2</source>
        <translation>Bereich %1, Schritte %2</translation>
    </message>
    <message>
        <source>%1: a report is written as .html, .xlsx or .md.</source>
        <translation>%1: Ein Bericht wird als .html, .xlsx oder .md geschrieben.</translation>
    </message>
    <message>
        <source>Nothing to save yet: the analysis is not done.</source>
        <translation>Noch nichts zu speichern: Die Auswertung ist nicht fertig.</translation>
    </message>
    <message>
        <source>Write headline, facts, findings and tables as a web page, a workbook or Markdown; of runs that are compared also what changed; on the Study screen the study</source>
        <translation>Überschrift, Fakten, Befunde und Tabellen als Webseite, Arbeitsmappe oder Markdown schreiben; von Läufen, die verglichen werden, auch die Unterschiede; auf dem Bildschirm Studie die Studie</translation>
    </message>
    <message>
        <source>Save report of the study</source>
        <translation>Bericht der Studie speichern</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>%1: a study is written as .html, .xlsx, .csv or .json.</source>
        <translation>%1: Eine Studie wird als .html, .xlsx, .csv oder .json geschrieben.</translation>
    </message>
    <message>
        <source>Nothing to save yet: the study has no runs.</source>
        <translation>Noch nichts zu speichern: Die Studie hat keine Läufe.</translation>
    </message>
</context>
<context>
    <name>rankscope::ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>&amp;What is on screen:</source>
        <translation>&amp;Was zu sehen ist:</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>Was exportiert wird</translation>
    </message>
    <message>
        <source>Table: %1</source>
        <translation>Tabelle: %1</translation>
    </message>
    <message>
        <source>Plot: %1</source>
        <translation>Diagramm: %1</translation>
    </message>
    <message>
        <source>&amp;Format:</source>
        <translation>&amp;Format:</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
</context>
<context>
    <name>rankscope::FindingsTable</name>
    <message>
        <source>hidden</source>
        <translation>verdeckt</translation>
    </message>
    <message>
        <source>inherent</source>
        <translation>bauartbedingt</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>Cost a step</source>
        <translation>Kosten je Schritt</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Nature</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>In which steps; nothing: in all of them</source>
        <translation>In welchen Schritten; nichts: in allen</translation>
    </message>
    <message>
        <source>fault: of a rank, a link or the host. inherent: what the program is made of costs it. hidden: others hide it, so that it costs that only once they are dealt with.</source>
        <translation>Fehler: eines Rangs, eines Links oder des Hosts. bauartbedingt: Das kostet, woraus das Programm besteht. verdeckt: Andere verdecken es, so dass es das erst kostet, wenn sie erledigt sind.</translation>
    </message>
    <message>
        <source>How sure it is, by how many steps and calls show it</source>
        <translation>Wie sicher es ist, danach, wie viele Schritte und Aufrufe es zeigen</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>Was zu tun ist: %1</translation>
    </message>
    <message>
        <source>Click: show it in the timeline</source>
        <translation>Klick: in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Show it in the &amp;timeline</source>
        <translation>In der &amp;Zeitachse zeigen</translation>
    </message>
    <message>
        <source>&amp;What if this were fixed?</source>
        <translation>&amp;Was wäre, wenn das behoben wäre?</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source> × %1</source>
        <translation> × %1</translation>
    </message>
    <message>
        <source>What a step that has it would be shorter without it; × 2: there are 2 such steps. The bar is its share of such a step.</source>
        <translation>Um wie viel ein Schritt, der ihn hat, ohne ihn kürzer wäre; × 2: Es gibt 2 solche Schritte. Der Balken ist sein Anteil an so einem Schritt.</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>hidden: others hide it, and it costs this only once they are dealt with</source>
        <translation>verdeckt: Andere verdecken es, und es kostet dies erst, wenn sie behoben sind</translation>
    </message>
    <message>
        <source>inherent: what the program is made of costs it</source>
        <translation>im Programm angelegt: Woraus das Programm besteht, kostet es</translation>
    </message>
    <message>
        <source>fault of a rank, a link or the host</source>
        <translation>Fehler eines Rangs, einer Verbindung oder des Hosts</translation>
    </message>
    <message>
        <source>%1 of a step</source>
        <translation>%1 eines Schritts</translation>
    </message>
</context>
<context>
    <name>rankscope::FlameGraph</name>
    <message>
        <source>Show all of this name in the &amp;timeline</source>
        <translation>Alle dieses Namens in der &amp;Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Flame graph of operators</source>
        <translation>Flame Graph der Operatoren</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>%1 on the GPU (%2 of all)</source>
        <translation>%1 auf der GPU (%2 von allem)</translation>
    </message>
    <message>
        <source>launched by itself %1</source>
        <translation>selbst gestartet %1</translation>
    </message>
    <message>
        <source>%1 on the CPU</source>
        <translation>%1 auf der CPU</translation>
    </message>
    <message>
        <source>%1 on the CPU, %2 of it its own</source>
        <translation>%1 auf der CPU, davon %2 eigene</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message numerus="yes">
        <source>%1 times</source>
        <translation>
            <numerusform>%1-mal</numerusform>
            <numerusform>%1-mal</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankscope::FlamePanel</name>
    <message>
        <source>Flame graph of the selection</source>
        <translation>Flame Graph der Auswahl</translation>
    </message>
    <message>
        <source>What the flame graph is of</source>
        <translation>Wovon der Flame Graph ist</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Slice</translation>
    </message>
    <message>
        <source>What the selected slice contains and launched; of GPU work, who launched it</source>
        <translation>Was der gewählte Slice enthält und gestartet hat; bei GPU-Arbeit: wer sie gestartet hat</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>Sein Name</translation>
    </message>
    <message>
        <source>All slices of the name of the selected one</source>
        <translation>Alle Slices mit dem Namen des gewählten</translation>
    </message>
    <message>
        <source>Its step</source>
        <translation>Sein Schritt</translation>
    </message>
    <message>
        <source>The step that the selected slice belongs to</source>
        <translation>Der Schritt, zu dem der gewählte Slice gehört</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>What ran in the marked range, and the calls that launched it</source>
        <translation>Was im markierten Bereich lief, und die Aufrufe, die es gestartet haben</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>The slices that the search found</source>
        <translation>Die Slices, die die Suche gefunden hat</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>The whole recording of the rank</source>
        <translation>Die ganze Aufzeichnung des Rangs</translation>
    </message>
    <message>
        <source>Flame graph of: %1</source>
        <translation>Flame Graph von: %1</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>What the width stands for</source>
        <translation>Wofür die Breite steht</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>Annotations of the program as parts of the paths</source>
        <translation>Annotationen des Programms als Teile der Pfade</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Modules of the model as parts of the paths</source>
        <translation>Module des Modells als Teile der Pfade</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python functions as parts of the paths, where they were recorded (with_stack=True)</source>
        <translation>Python-Funktionen als Teile der Pfade, wo sie aufgezeichnet sind (with_stack=True)</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitachse</translation>
    </message>
    <message>
        <source>Flame gra&amp;ph of the selection</source>
        <translation>Flame Gra&amp;ph der Auswahl</translation>
    </message>
    <message>
        <source>Show the calls below the selected slice or the marked range as a flame graph</source>
        <translation>Die Aufrufe unter dem gewählten Slice oder im markierten Bereich als Flame Graph zeigen</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>Flame Graph</translation>
    </message>
    <message>
        <source>Click, Space</source>
        <translation>Klick, Leertaste</translation>
    </message>
    <message>
        <source>Let this call fill the width</source>
        <translation>Diesen Aufruf auf die ganze Breite bringen</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>Back to its caller</source>
        <translation>Zurück zu seinem Aufrufer</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Escape</translation>
    </message>
    <message>
        <source>Back to its caller; from the outermost, to the timeline</source>
        <translation>Zurück zu seinem Aufrufer; vom äußersten zur Zeitachse</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>To the caller, the first call inside, or the calls beside</source>
        <translation>Zum Aufrufer, zum ersten Aufruf darin oder zu den Nachbarn</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Show all events of this name in the timeline</source>
        <translation>Alle Ereignisse dieses Namens in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Select a slice, or drag on the ruler to mark a range, to see the calls below it.</source>
        <translation>Wählen Sie einen Slice, oder markieren Sie durch Ziehen auf dem Lineal einen Bereich: Hier stehen dann die Aufrufe darunter.</translation>
    </message>
    <message>
        <source>%1: no call is known that launched this GPU work (record with ProfilerActivity.CPU).</source>
        <translation>%1: Kein Aufruf ist bekannt, der diese GPU-Arbeit gestartet hat (mit ProfilerActivity.CPU aufzeichnen).</translation>
    </message>
    <message>
        <source>%1: no calls and no GPU work.</source>
        <translation>%1: keine Aufrufe und keine GPU-Arbeit.</translation>
    </message>
    <message>
        <source>%1 on the GPU</source>
        <translation>%1 auf der GPU</translation>
    </message>
    <message>
        <source>%1 on the CPU</source>
        <translation>%1 auf der CPU</translation>
    </message>
    <message>
        <source>%1 of GPU work without a known caller</source>
        <translation>%1 GPU-Arbeit ohne bekannten Aufrufer</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>alle Ränge</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2</source>
        <translation>
            <numerusform>%1 mal %2</numerusform>
            <numerusform>%1 mal %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 ab %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 found</source>
        <translation>
            <numerusform>%1 gefunden</numerusform>
            <numerusform>%1 gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>All of rank %1</source>
        <translation>Alles von Rang %1</translation>
    </message>
</context>
<context>
    <name>rankscope::GlossaryDialog</name>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Find a word</source>
        <translation>Ein Wort suchen</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Wort</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
</context>
<context>
    <name>rankscope::GoToDialog</name>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Time, step or call:</source>
        <translation>&amp;Zeit, Schritt oder Aufruf:</translation>
    </message>
    <message>
        <source>12.5 ms</source>
        <translation>12.5 ms</translation>
    </message>
    <message>
        <source>Time, step or call</source>
        <translation>Zeit, Schritt oder Aufruf</translation>
    </message>
    <message>
        <source>12.5 ms from the start  ·  step 3  ·  allreduce 17  ·  gemm #2  ·  a time stamp of the trace
Calls are counted on rank %1.</source>
        <translation>12.5 ms ab dem Anfang  ·  step 3  ·  allreduce 17  ·  gemm #2  ·  ein Zeitstempel des Trace
Aufrufe zählen auf Rang %1.</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Los</translation>
    </message>
</context>
<context>
    <name>rankscope::HangScreen</name>
    <message>
        <source>message %1, %2 to %3</source>
        <translation>Nachricht %1, %2 an %3</translation>
    </message>
    <message>
        <source>call %1</source>
        <translation>Aufruf %1</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>Who waits for whom</source>
        <translation>Wer auf wen wartet</translation>
    </message>
    <message>
        <source>Why the job hangs</source>
        <translation>Warum der Job hängt</translation>
    </message>
    <message>
        <source>What happened, and what to do</source>
        <translation>Was geschehen ist und was zu tun ist</translation>
    </message>
    <message>
        <source>Ranks of the job that hangs</source>
        <translation>Ränge des hängenden Jobs</translation>
    </message>
    <message>
        <source>Show its last calls in the &amp;timeline</source>
        <translation>Seine letzten Aufrufe in der &amp;Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Calls that differ between ranks</source>
        <translation>Aufrufe, die sich zwischen Rängen unterscheiden</translation>
    </message>
    <message>
        <source>The selected rank</source>
        <translation>Der gewählte Rang</translation>
    </message>
    <message>
        <source>Hang</source>
        <translation>Hänger</translation>
    </message>
    <message>
        <source>Click in the matrix</source>
        <translation>Klick in die Matrix</translation>
    </message>
    <message>
        <source>Select the rank of that row or column</source>
        <translation>Den Rang der Zeile oder Spalte wählen</translation>
    </message>
    <message>
        <source>Enter, double-click in the table</source>
        <translation>Eingabe, Doppelklick in der Tabelle</translation>
    </message>
    <message>
        <source>Show the rank&apos;s last calls in the timeline</source>
        <translation>Die letzten Aufrufe des Rangs in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>The dumps of this job are another capture of it</source>
        <translation>Die Dumps dieses Jobs sind eine andere Aufzeichnung davon</translation>
    </message>
    <message>
        <source>The folder holds a profile, which is shown, and dumps of the Flight Recorder.

The button beside the run&apos;s name opens the dumps.</source>
        <translation>Der Ordner enthält ein Profil, das gezeigt wird, und Dumps des Flight Recorder.

Der Knopf neben dem Namen des Laufs öffnet die Dumps.</translation>
    </message>
    <message>
        <source>No dumps of a job that hangs</source>
        <translation>Keine Dumps eines hängenden Jobs</translation>
    </message>
    <message>
        <source>This run is a recording of a job that ran. When a job hangs, PyTorch leaves one dump a rank if it was told to:

TORCH_NCCL_TRACE_BUFFER_SIZE=2000
TORCH_NCCL_DUMP_ON_TIMEOUT=1

Open the folder with these dumps.</source>
        <translation>Dieser Lauf ist die Aufzeichnung eines Jobs, der lief. Hängt ein Job, hinterlässt PyTorch einen Dump je Rang, wenn es so eingestellt war:

TORCH_NCCL_TRACE_BUFFER_SIZE=2000
TORCH_NCCL_DUMP_ON_TIMEOUT=1

Öffnen Sie den Ordner mit diesen Dumps.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Its number in the job</source>
        <translation>Seine Nummer im Job</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Culprit: the dumps prove it. Possible: nothing proves it and nothing clears it</source>
        <translation>Verursacher: Die Dumps beweisen es. Möglich: Nichts beweist es, nichts entlastet ihn</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>Who holds up its oldest open call</source>
        <translation>Wer seinen ältesten offenen Aufruf aufhält</translation>
    </message>
    <message>
        <source>Its oldest open call</source>
        <translation>Sein ältester offener Aufruf</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>The process group of that call</source>
        <translation>Die Prozessgruppe dieses Aufrufs</translation>
    </message>
    <message>
        <source>Since (UTC)</source>
        <translation>Seit (UTC)</translation>
    </message>
    <message>
        <source>When it made that call</source>
        <translation>Wann er diesen Aufruf machte</translation>
    </message>
    <message>
        <source>Last completed</source>
        <translation>Zuletzt fertig</translation>
    </message>
    <message>
        <source>Called</source>
        <translation>Aufgerufen</translation>
    </message>
    <message>
        <source>Kind, sizes and type</source>
        <translation>Art, Größen und Typ</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Members that called this</source>
        <translation>Mitglieder, die das aufgerufen haben</translation>
    </message>
    <message>
        <source>Differs in</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Kind, sizes, types, or what all send and all receive</source>
        <translation>Art, Größen, Typen, oder was alle senden und alle empfangen</translation>
    </message>
    <message>
        <source>As</source>
        <translation>Als</translation>
    </message>
    <message>
        <source>The call that all members should make alike</source>
        <translation>Der Aufruf, den alle Mitglieder gleich machen sollten</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
    <message>
        <source>Last completed: %1 %2</source>
        <translation>Zuletzt fertig: %1 %2</translation>
    </message>
    <message>
        <source>Last called: %1 %2</source>
        <translation>Zuletzt aufgerufen: %1 %2</translation>
    </message>
    <message>
        <source>Open calls: %1</source>
        <translation>Offene Aufrufe: %1</translation>
    </message>
    <message>
        <source>%1, waits for %2</source>
        <translation>%1, wartet auf %2</translation>
    </message>
    <message>
        <source>Frames: not recorded (TORCH_INCLUDE_STACK_TRACE=1 records them)</source>
        <translation>Frames: nicht aufgezeichnet (TORCH_INCLUDE_STACK_TRACE=1 zeichnet sie auf)</translation>
    </message>
    <message>
        <source>Frames of its last call:</source>
        <translation>Frames seines letzten Aufrufs:</translation>
    </message>
    <message>
        <source>  %1 at %2:%3</source>
        <translation>  %1 in %2:%3</translation>
    </message>
    <message>
        <source>Open call</source>
        <translation>Offener Aufruf</translation>
    </message>
    <message>
        <source>The last call that is known to be finished: its number in its group</source>
        <translation>Der letzte Aufruf, der nachweislich fertig ist: seine Nummer in seiner Gruppe</translation>
    </message>
    <message>
        <source>%1, group %2</source>
        <translation>%1, Gruppe %2</translation>
    </message>
</context>
<context>
    <name>rankscope::HangWaitsView</name>
    <message>
        <source>Who waits for whom</source>
        <translation>Wer auf wen wartet</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>%1 waits for rank %2 in %3</source>
        <translation>%1 wartet auf Rang %2 in %3</translation>
    </message>
    <message>
        <source>%1 wait for rank %2 in %3</source>
        <translation>%1 warten auf Rang %2 in %3</translation>
    </message>
    <message>
        <source>No rank is known to wait for a certain rank.</source>
        <translation>Von keinem Rang ist bekannt, dass er auf einen bestimmten wartet.</translation>
    </message>
    <message>
        <source>%1 more rows and %2 more columns are in the table.</source>
        <translation>%1 weitere Zeilen und %2 weitere Spalten stehen in der Tabelle.</translation>
    </message>
    <message>
        <source>Rows wait for columns; letters are groups.</source>
        <translation>Zeilen warten auf Spalten; Buchstaben sind Gruppen.</translation>
    </message>
</context>
<context>
    <name>rankscope::HitsModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Start (µs)</source>
        <translation>Beginn (µs)</translation>
    </message>
    <message>
        <source>Duration (µs)</source>
        <translation>Dauer (µs)</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
</context>
<context>
    <name>rankscope::KernelsScreen</name>
    <message>
        <source>Parts of the screen</source>
        <translation>Teile der Ansicht</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>&amp;Rank:</source>
        <translation>&amp;Rang:</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>Part of a name</source>
        <translation>Teil eines Namens</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>Nach Namen filtern</translation>
    </message>
    <message>
        <source>Show all of this name in the &amp;timeline</source>
        <translation>Alle dieses Namens in der &amp;Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Flame graph of operators</source>
        <translation>Flame Graph der Operatoren</translation>
    </message>
    <message>
        <source>&amp;Width:</source>
        <translation>&amp;Breite:</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>What the width stands for</source>
        <translation>Wofür die Breite steht</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>Annotations of the program as parts of the paths</source>
        <translation>Annotationen des Programms als Teile der Pfade</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python functions as parts of the paths, where they were recorded (with_stack=True)</source>
        <translation>Python-Funktionen als Teile der Pfade, wo sie aufgezeichnet sind (with_stack=True)</translation>
    </message>
    <message>
        <source>No operators: the trace has no CPU activity (record with ProfilerActivity.CPU).</source>
        <translation>Keine Operatoren: Der Trace enthält keine CPU-Aktivität (mit ProfilerActivity.CPU aufzeichnen).</translation>
    </message>
    <message>
        <source>Modules of the model</source>
        <translation>Module des Modells</translation>
    </message>
    <message>
        <source>No modules: no frame around the kernels names one (record with with_stack=True or with_modules=True, or keep the captures of graphs beside the trace).</source>
        <translation>Keine Module: Kein Frame um die Kernel nennt eines (mit with_stack=True oder with_modules=True aufzeichnen, oder die Captures der Graphen neben dem Trace aufheben).</translation>
    </message>
    <message>
        <source>Launch delays</source>
        <translation>Launch-Verzögerungen</translation>
    </message>
    <message>
        <source>No launches: the trace does not have the calls that launched its kernels.</source>
        <translation>Keine Launches: Dem Trace fehlen die Aufrufe, die seine Kernel gestartet haben.</translation>
    </message>
    <message>
        <source>Operators under the roofline</source>
        <translation>Operatoren unter der Roofline</translation>
    </message>
    <message>
        <source>No points: they need operators with recorded shapes that a model knows (record with record_shapes=True).</source>
        <translation>Keine Punkte: Nötig sind Operatoren mit aufgezeichneten Shapes, die ein Modell kennt (mit record_shapes=True aufzeichnen).</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>Show all events of this name in the timeline</source>
        <translation>Alle Ereignisse dieses Namens in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Click, Space in the flame graph</source>
        <translation>Klick, Leertaste im Flame Graph</translation>
    </message>
    <message>
        <source>Let this call fill the width</source>
        <translation>Diesen Aufruf auf die ganze Breite bringen</translation>
    </message>
    <message>
        <source>Backspace, Escape in the flame graph</source>
        <translation>Rücktaste, Esc im Flame Graph</translation>
    </message>
    <message>
        <source>Back to its caller</source>
        <translation>Zurück zu seinem Aufrufer</translation>
    </message>
    <message>
        <source>Arrow keys in the flame graph</source>
        <translation>Pfeiltasten im Flame Graph</translation>
    </message>
    <message>
        <source>To the caller, the first call inside, or the calls beside</source>
        <translation>Zum Aufrufer, zum ersten Aufruf darin oder zu den Nachbarn</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>No kernels</source>
        <translation>Keine Kernel</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>GPU work by its name</source>
        <translation>GPU-Arbeit nach ihrem Namen</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>What it is for</source>
        <translation>Wofür er da ist</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>How often it ran</source>
        <translation>Wie oft er lief</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Sum of the durations</source>
        <translation>Summe der Dauern</translation>
    </message>
    <message>
        <source>Share %</source>
        <translation>Anteil %</translation>
    </message>
    <message>
        <source>Of the summed time of all GPU work</source>
        <translation>An der summierten Zeit aller GPU-Arbeit</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Of one</source>
        <translation>Von einem</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Half of them are shorter</source>
        <translation>Die Hälfte ist kürzer</translation>
    </message>
    <message>
        <source>95 % of them are no longer</source>
        <translation>95 % sind nicht länger</translation>
    </message>
    <message>
        <source>%1 of the GPU work is inside a named module. Sums over all ranks.</source>
        <translation>%1 der GPU-Arbeit liegt in einem benannten Modul. Summen über alle Ränge.</translation>
    </message>
    <message>
        <source>%1 of the GPU work is inside a named module.</source>
        <translation>%1 der GPU-Arbeit liegt in einem benannten Modul.</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Total (%1)</source>
        <translation>Summe (%1)</translation>
    </message>
    <message>
        <source>Own (%1)</source>
        <translation>Eigene (%1)</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>As the frames around the launches name it</source>
        <translation>Wie die Frames um die Launches es nennen</translation>
    </message>
    <message>
        <source>Summed durations of GPU work launched in it, with the modules inside</source>
        <translation>Summe der Dauern der darin gestarteten GPU-Arbeit, mit den inneren Modulen</translation>
    </message>
    <message>
        <source>Without the modules inside</source>
        <translation>Ohne die inneren Module</translation>
    </message>
    <message>
        <source>GPU work launched in it, without the modules inside</source>
        <translation>Darin gestartete GPU-Arbeit, ohne die inneren Module</translation>
    </message>
    <message>
        <source>Calls that launched GPU work</source>
        <translation>Aufrufe, die GPU-Arbeit gestartet haben</translation>
    </message>
    <message>
        <source>Allocated (MB)</source>
        <translation>Angelegt (MB)</translation>
    </message>
    <message>
        <source>By operators in it, without the modules inside</source>
        <translation>Von seinen Operatoren, ohne die inneren Module</translation>
    </message>
    <message>
        <source>No GPU work is linked to an operator; the width can show CPU time.</source>
        <translation>Keine GPU-Arbeit ist mit einem Operator verknüpft; die Breite kann CPU-Zeit zeigen.</translation>
    </message>
    <message>
        <source>%1 of the GPU work has a known operator</source>
        <translation>%1 der GPU-Arbeit hat einen bekannten Operator</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Operators, annotations and Python functions by name</source>
        <translation>Operatoren, Annotationen und Python-Funktionen nach Namen</translation>
    </message>
    <message>
        <source>GPU total</source>
        <translation>GPU gesamt</translation>
    </message>
    <message>
        <source>Summed durations of all GPU work launched inside</source>
        <translation>Summe der Dauern aller darin gestarteten GPU-Arbeit</translation>
    </message>
    <message>
        <source>GPU total, of all GPU work with a known operator</source>
        <translation>GPU gesamt, von aller GPU-Arbeit mit bekanntem Operator</translation>
    </message>
    <message>
        <source>GPU self</source>
        <translation>GPU eigene</translation>
    </message>
    <message>
        <source>Of what it launched itself</source>
        <translation>Was er selbst gestartet hat</translation>
    </message>
    <message>
        <source>CPU total</source>
        <translation>CPU gesamt</translation>
    </message>
    <message>
        <source>Durations of the calls on the host</source>
        <translation>Dauern der Aufrufe auf dem Host</translation>
    </message>
    <message>
        <source>CPU self</source>
        <translation>CPU eigene</translation>
    </message>
    <message>
        <source>Without the operators inside</source>
        <translation>Ohne die inneren Operatoren</translation>
    </message>
    <message>
        <source>How long the GPU takes to start what the host launches. Long delays mean a full queue: the GPU is busy and the host runs ahead. Short ones mean that the GPU waits for the host.  %1.</source>
        <translation>Wie lange die GPU braucht, um zu beginnen, was der Host startet. Lange Verzögerungen bedeuten eine volle Warteschlange: Die GPU ist beschäftigt und der Host eilt voraus. Kurze bedeuten, dass die GPU auf den Host wartet.  %1.</translation>
    </message>
    <message>
        <source>%1 start before their call by the trace&apos;s clocks; they are drawn as 0.</source>
        <translation>%1 beginnen nach den Uhren des Trace vor ihrem Aufruf; sie sind als 0 gezeichnet.</translation>
    </message>
    <message>
        <source>The trace does not name the device</source>
        <translation>Der Trace nennt das Gerät nicht</translation>
    </message>
    <message>
        <source>Operators whose shapes tell their FLOPs and bytes</source>
        <translation>Operatoren, deren Shapes FLOPs und Bytes verraten</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>Recorded dimensions of the inputs</source>
        <translation>Aufgezeichnete Dimensionen der Eingaben</translation>
    </message>
    <message>
        <source>With these shapes</source>
        <translation>Mit diesen Shapes</translation>
    </message>
    <message>
        <source>Of what the calls launched themselves</source>
        <translation>Was die Aufrufe selbst gestartet haben</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>FLOPs by shape over GPU time</source>
        <translation>FLOPs nach Shape über GPU-Zeit</translation>
    </message>
    <message>
        <source>TB/s</source>
        <translation>TB/s</translation>
    </message>
    <message>
        <source>Inputs and outputs moved once, over GPU time</source>
        <translation>Ein- und Ausgaben einmal bewegt, über GPU-Zeit</translation>
    </message>
    <message>
        <source>FLOP/B</source>
        <translation>FLOP/B</translation>
    </message>
    <message>
        <source>FLOPs per byte</source>
        <translation>FLOPs je Byte</translation>
    </message>
    <message>
        <source>Of peak %</source>
        <translation>Spitze %</translation>
    </message>
    <message>
        <source>The least time the device could take, of the time it took</source>
        <translation>Die kürzeste Zeit, in der das Gerät es könnte, von der gebrauchten</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Which limit it is nearer to</source>
        <translation>Welcher Grenze er näher ist</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Calls in the selection, if only with a part</source>
        <translation>Aufrufe in der Auswahl, und sei es nur zum Teil</translation>
    </message>
    <message>
        <source>This selection of the run has neither GPU work nor operators. Record both with

torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])</source>
        <translation>Diese Auswahl des Laufs enthält weder GPU-Arbeit noch Operatoren. Zeichnen Sie beides auf mit

torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])</translation>
    </message>
    <message>
        <source>%1: its peak rates are not known, so no limits are drawn. Name the device in the workload card (hardware.xpu_spec.model), or give its peaks in the settings.</source>
        <translation>%1: Spitzenwerte unbekannt, daher sind keine Grenzen gezeichnet. Nennen Sie das Gerät in der Workload-Karte (hardware.xpu_spec.model), oder geben Sie seine Spitzenwerte in den Einstellungen an.</translation>
    </message>
    <message>
        <source>%1. Lines: its dense peak rates by data sheet.</source>
        <translation>%1. Linien: Spitzenwerte nach Datenblatt, dicht besetzt.</translation>
    </message>
    <message>
        <source>A point is an operator with one set of shapes. Together they are %1 % of the GPU time of all operators that compute; of the rest no shapes or no model are known.</source>
        <translation>Ein Punkt ist ein Operator mit einem Satz von Shapes. Zusammen sind sie %1 % der GPU-Zeit aller rechnenden Operatoren; vom Rest sind keine Shapes oder kein Modell bekannt.</translation>
    </message>
    <message>
        <source>%1, above it</source>
        <translation>%1, darüber</translation>
    </message>
    <message>
        <source>Points above the memory&apos;s limit: %1. Part of what their shapes say was still in a cache, or was not read.</source>
        <translation>Punkte über der Grenze des Speichers: %1. Ein Teil dessen, was ihre Shapes sagen, war noch in einem Cache oder wurde nicht gelesen.</translation>
    </message>
    <message>
        <source>Points above the limit of computation: %1. A mask or a window left out part of what their shapes say.</source>
        <translation>Punkte über der Grenze der Rechenwerke: %1. Eine Maske oder ein Fenster ließ einen Teil dessen weg, was ihre Shapes sagen.</translation>
    </message>
</context>
<context>
    <name>rankscope::LagLegend</name>
    <message>
        <source>Legend of the lag map</source>
        <translation>Legende der Verzugskarte</translation>
    </message>
    <message>
        <source>Lag after the first arrival: at most %1</source>
        <translation>Verzug nach der ersten Ankunft: höchstens %1</translation>
    </message>
    <message>
        <source>Colour: lag after the first arrival, from %1 to %2, logarithmic</source>
        <translation>Farbe: Verzug nach der ersten Ankunft, von %1 bis %2, logarithmisch</translation>
    </message>
    <message>
        <source>lag  ≤ %1</source>
        <translation>Verzug  ≤ %1</translation>
    </message>
</context>
<context>
    <name>rankscope::LagMapView</name>
    <message>
        <source>Lag of each rank at each collective call</source>
        <translation>Verzug jedes Rangs bei jeder Kollektive</translation>
    </message>
    <message>
        <source>Lag of ranks at collectives</source>
        <translation>Verzug der Ränge bei Kollektiven</translation>
    </message>
    <message>
        <source>call, as numbered in the table (calls without a rank in common share a column)</source>
        <translation>Aufruf, nummeriert wie in der Tabelle (Aufrufe ohne gemeinsamen Rang teilen sich eine Spalte)</translation>
    </message>
    <message>
        <source>Who is late at which call</source>
        <translation>Wer bei welchem Aufruf spät ist</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>arrives first</source>
        <translation>kommt zuerst an</translation>
    </message>
    <message>
        <source>arrives last, %1 after the first</source>
        <translation>kommt zuletzt an, %1 nach dem ersten</translation>
    </message>
    <message>
        <source>arrives %1 after the first</source>
        <translation>kommt %1 nach dem ersten an</translation>
    </message>
    <message>
        <source>Rank %1 %2
Call %3: %4, %5
Last of %6: rank %7, %8 late</source>
        <translation>Rang %1 %2
Aufruf %3: %4, %5
Letzter von %6: Rang %7, %8 spät</translation>
    </message>
</context>
<context>
    <name>rankscope::LaneCorner</name>
    <message>
        <source>Filter ranks and lanes</source>
        <translation>Ränge und Spuren filtern</translation>
    </message>
    <message>
        <source>Only lanes whose “rank 3 stream 7” has this text; a rank whose “rank 3” has it shows all its lanes</source>
        <translation>Nur Spuren, deren „rank 3 stream 7“ diesen Text enthält; ein Rang, dessen „rank 3“ ihn enthält, zeigt alle Spuren</translation>
    </message>
    <message>
        <source>Show all hidden ranks and lanes again</source>
        <translation>Alle ausgeblendeten Ränge und Spuren wieder zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%1 hidden: show all</source>
        <translation>
            <numerusform>%1 ausgeblendet: alle zeigen</numerusform>
            <numerusform>%1 ausgeblendet: alle zeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankscope::LaneHeaders</name>
    <message>
        <source>1 GPU stream</source>
        <translation>1 GPU-Stream</translation>
    </message>
    <message numerus="yes">
        <source>%1 GPU streams</source>
        <translation>
            <numerusform>%1 GPU-Stream</numerusform>
            <numerusform>%1 GPU-Streams</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU belegt</translation>
    </message>
    <message>
        <source>GPU busy, %1 more</source>
        <translation>GPU belegt, %1 mehr</translation>
    </message>
    <message>
        <source>GPU annotations</source>
        <translation>GPU-Annotationen</translation>
    </message>
    <message>
        <source>1 CPU thread</source>
        <translation>1 CPU-Thread</translation>
    </message>
    <message numerus="yes">
        <source>%1 CPU threads</source>
        <translation>
            <numerusform>%1 CPU-Thread</numerusform>
            <numerusform>%1 CPU-Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>Ranks and lanes</source>
        <translation>Ränge und Spuren</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>All ranks are hidden</source>
        <translation>Alle Ränge sind ausgeblendet</translation>
    </message>
    <message>
        <source>No rank or lane has this in its name</source>
        <translation>Kein Rang und keine Spur enthält das im Namen</translation>
    </message>
    <message>
        <source>Shown: %1 of its GPU&apos;s time</source>
        <translation>Gezeigt: %1 der Zeit seiner GPU</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <translation>%1 %2 (%3)</translation>
    </message>
</context>
<context>
    <name>rankscope::LaneLink</name>
    <message>
        <source>◇ only in the baseline: the test has no such lane</source>
        <translation>◇ nur in der Basis: Der Test hat keine solche Spur</translation>
    </message>
    <message>
        <source>◇ only in the test: the baseline has no such lane</source>
        <translation>◇ nur im Test: Die Basis hat keine solche Spur</translation>
    </message>
</context>
<context>
    <name>rankscope::LinkLabel</name>
    <message>
        <source>Click: show the evidence</source>
        <translation>Klick: zeigt, woran es zu sehen ist</translation>
    </message>
</context>
<context>
    <name>rankscope::LinkedTimelines</name>
    <message>
        <source>baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>&amp;Linked</source>
        <translation>Ge&amp;koppelt</translation>
    </message>
    <message>
        <source>Steps start together, same scale</source>
        <translation>Schritte beginnen zusammen, gleicher Maßstab</translation>
    </message>
    <message>
        <source>Steps stretched to equal length</source>
        <translation>Schritte auf gleiche Länge gestreckt</translation>
    </message>
    <message>
        <source>How the two runs are aligned</source>
        <translation>Wie die zwei Läufe ausgerichtet sind</translation>
    </message>
    <message>
        <source>Steps of the same number lie above each other. At the same scale the longer step is wider; stretched, the same share of both steps stands at the same place.</source>
        <translation>Schritte gleicher Nummer liegen übereinander. Im gleichen Maßstab ist der längere Schritt breiter; gestreckt steht derselbe Anteil beider Schritte an derselben Stelle.</translation>
    </message>
    <message>
        <source>Zoom and scroll one timeline, and the other follows</source>
        <translation>Zoom und Verschieben der einen Zeitachse gelten auch für die andere</translation>
    </message>
    <message>
        <source>Selected slice and its counterpart</source>
        <translation>Gewählter Slice und sein Gegenstück</translation>
    </message>
    <message>
        <source>Timeline of the baseline</source>
        <translation>Zeitachse der Basis</translation>
    </message>
    <message>
        <source>Timeline of the test</source>
        <translation>Zeitachse des Tests</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source> · no steps: aligned at the start</source>
        <translation> · keine Schritte: am Anfang ausgerichtet</translation>
    </message>
    <message>
        <source>Select a slice to find its counterpart in the other run</source>
        <translation>Wählen Sie einen Slice, um sein Gegenstück im anderen Lauf zu finden</translation>
    </message>
    <message>
        <source>%1 in the %2, no counterpart in the %3: %4</source>
        <translation>%1 in: %2, kein Gegenstück in: %3: %4</translation>
    </message>
    <message>
        <source>%1 of %2 below the same operators</source>
        <translation>%1 von %2 unter denselben Operatoren</translation>
    </message>
    <message>
        <source>%1 of %2 of this name, other operators above it</source>
        <translation>%1 von %2 dieses Namens, mit anderen Operatoren darüber</translation>
    </message>
    <message>
        <source>%1 → %2%3 · %4 · %5</source>
        <translation>%1 → %2%3 · %4 · %5</translation>
    </message>
    <message>
        <source> · step %1</source>
        <translation> · Schritt %1</translation>
    </message>
</context>
<context>
    <name>rankscope::LoadBar</name>
    <message numerus="yes">
        <source>%1 of %2 ranks, %3 of %4</source>
        <translation>
            <numerusform>%1 von %2 Rang, %3 von %4</numerusform>
            <numerusform>%1 von %2 Rängen, %3 von %4</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Loading progress</source>
        <translation>Fortschritt des Lesens</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>Lesen abbrechen</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>noch %1 min</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1, %2 von %3</translation>
    </message>
    <message>
        <source>%1, for %2 s so far</source>
        <translation>%1, seit %2 s</translation>
    </message>
</context>
<context>
    <name>rankscope::MainWindow</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>Lesezeichen</translation>
    </message>
</context>
<context>
    <name>rankscope::MarksOverlay</name>
    <message>
        <source>waits %1 for rank %2, which arrives last</source>
        <translation>wartet %1 auf Rang %2, der als letzter ankommt</translation>
    </message>
    <message>
        <source>the delay started there: %1</source>
        <translation>dort begann die Verzögerung: %1</translation>
    </message>
    <message>
        <source>that one had waited too: the delay started at rank %1, %2</source>
        <translation>auch dieser hatte gewartet: Die Verzögerung begann auf Rang %1, %2</translation>
    </message>
    <message>
        <source>arrives last, %1 after the other one</source>
        <translation>kommt als letzter an, %1 nach dem anderen</translation>
    </message>
    <message>
        <source>arrives last, %1 after the first: the other %2 wait %3 together</source>
        <translation>kommt als letzter an, %1 nach dem ersten: Die anderen %2 warten zusammen %3</translation>
    </message>
</context>
<context>
    <name>rankscope::MemoryChanges</name>
    <message>
        <source>Place in the program</source>
        <translation>Stelle im Programm</translation>
    </message>
    <message>
        <source>The innermost frame of the program, outside of installed packages</source>
        <translation>Der innerste Rahmen des Programms außerhalb installierter Pakete</translation>
    </message>
    <message>
        <source>no stack recorded</source>
        <translation>kein Stapel aufgezeichnet</translation>
    </message>
    <message>
        <source>Called by</source>
        <translation>Aufgerufen von</translation>
    </message>
    <message>
        <source>The next frame of the program around it</source>
        <translation>Der nächste Rahmen des Programms darum herum</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>What the memory was for, as the snapshot tells</source>
        <translation>Wofür der Speicher diente, wie der Snapshot es angibt</translation>
    </message>
    <message>
        <source>no category recorded</source>
        <translation>keine Kategorie aufgezeichnet</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Live at the peak of the baseline</source>
        <translation>In der Spitze der Basis belegt</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Live at the peak of the test</source>
        <translation>In der Spitze des Tests belegt</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Test less baseline</source>
        <translation>Test minus Basis</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Of the baseline</source>
        <translation>Der Basis</translation>
    </message>
    <message>
        <source>No place in the program holds more or less at the peak.</source>
        <translation>Keine Stelle im Programm belegt in der Spitze mehr oder weniger.</translation>
    </message>
    <message>
        <source>What changed in memory, in words</source>
        <translation>Was sich im Speicher geändert hat, in Worten</translation>
    </message>
    <message>
        <source>Rank whose memory is compared</source>
        <translation>Rang, dessen Speicher verglichen wird</translation>
    </message>
    <message>
        <source>What the memory is summed by</source>
        <translation>Wonach der Speicher summiert wird</translation>
    </message>
    <message>
        <source>By place in the program</source>
        <translation>Nach Stelle im Programm</translation>
    </message>
    <message>
        <source>By category</source>
        <translation>Nach Kategorie</translation>
    </message>
    <message>
        <source>Memory at the peak of both runs</source>
        <translation>Speicher in der Spitze beider Läufe</translation>
    </message>
    <message>
        <source>Memory at the peak</source>
        <translation>Speicher in der Spitze</translation>
    </message>
    <message>
        <source>What memory snapshots record as requested and not freed when most of it was</source>
        <translation>Was laut Speicher-Snapshots angefordert und nicht freigegeben war, als am meisten belegt war</translation>
    </message>
    <message>
        <source>Rank %1, GPU %2</source>
        <translation>Rang %1, GPU %2</translation>
    </message>
</context>
<context>
    <name>rankscope::MemoryPlot</name>
    <message>
        <source>Memory over time</source>
        <translation>Speicher über der Zeit</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>reserviert</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>time since the run&apos;s first event (%1)</source>
        <translation>Zeit seit dem ersten Ereignis des Laufs (%1)</translation>
    </message>
    <message>
        <source>%1 allocated at %2</source>
        <translation>%1 belegt bei %2</translation>
    </message>
    <message>
        <source>%1: %2 allocated</source>
        <translation>%1: %2 belegt</translation>
    </message>
</context>
<context>
    <name>rankscope::MemoryScreen</name>
    <message>
        <source>Memory over time</source>
        <translation>Speicher über der Zeit</translation>
    </message>
    <message>
        <source>Live memory by operator</source>
        <translation>Belegter Speicher nach Operator</translation>
    </message>
    <message>
        <source>Show the largest in the &amp;timeline</source>
        <translation>Den größten in der &amp;Zeitachse zeigen</translation>
    </message>
    <message>
        <source>What was live, in a sentence</source>
        <translation>Was belegt war, in einem Satz</translation>
    </message>
    <message>
        <source>&amp;Memory of:</source>
        <translation>&amp;Speicher von:</translation>
    </message>
    <message>
        <source>Memory of</source>
        <translation>Speicher von</translation>
    </message>
    <message>
        <source>Go to its peak</source>
        <translation>Zur Spitze</translation>
    </message>
    <message>
        <source>What was live when most was allocated (Home in the plot)</source>
        <translation>Was belegt war, als es am meisten war (Pos1 im Diagramm)</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Click in the plot</source>
        <translation>Klick in das Diagramm</translation>
    </message>
    <message>
        <source>What was live at that time, on that curve</source>
        <translation>Was zu dieser Zeit belegt war, auf dieser Kurve</translation>
    </message>
    <message>
        <source>Left / Right, Home in the plot</source>
        <translation>Links / Rechts, Pos1 im Diagramm</translation>
    </message>
    <message>
        <source>Earlier, later, to the peak</source>
        <translation>Früher, später, zur Spitze</translation>
    </message>
    <message>
        <source>Enter, double-click in the table</source>
        <translation>Eingabe, Doppelklick in der Tabelle</translation>
    </message>
    <message>
        <source>Show the operator of the largest block in the timeline</source>
        <translation>Den Operator des größten Blocks in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>Rank %1, CPU</source>
        <translation>Rang %1, CPU</translation>
    </message>
    <message>
        <source>Rank %1, GPU %2</source>
        <translation>Rang %1, GPU %2</translation>
    </message>
    <message>
        <source>No memory recorded</source>
        <translation>Kein Speicher aufgezeichnet</translation>
    </message>
    <message>
        <source>Highest peak: %1 on %2</source>
        <translation>Höchste Spitze: %1 auf %2</translation>
    </message>
    <message>
        <source>Highest peak: %1 on %2, %3 reserved then</source>
        <translation>Höchste Spitze: %1 auf %2, %3 waren reserviert</translation>
    </message>
    <message>
        <source>Drawn: the %1 highest of %2 curves</source>
        <translation>Gezeichnet: die %1 höchsten von %2 Kurven</translation>
    </message>
    <message>
        <source>%1 (its peak)</source>
        <translation>%1 (Spitze)</translation>
    </message>
    <message>
        <source>%1, %2: %3 allocated</source>
        <translation>%1, %2: %3 belegt</translation>
    </message>
    <message>
        <source>The trace does not record addresses, so what was live cannot be told</source>
        <translation>Der Trace enthält keine Adressen; daher lässt sich nicht sagen, was belegt war</translation>
    </message>
    <message>
        <source>%1, %2 of it since before the recording</source>
        <translation>%1, davon %2 schon vor der Aufzeichnung</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Angelegt von</translation>
    </message>
    <message>
        <source>The innermost operator that does more than allocate</source>
        <translation>Der innerste Operator, der mehr tut als anlegen</translation>
    </message>
    <message>
        <source>outside of operators</source>
        <translation>außerhalb von Operatoren</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>In</translation>
    </message>
    <message>
        <source>The outermost operator around it</source>
        <translation>Der äußerste Operator darum</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Sum of its blocks that nobody had freed</source>
        <translation>Summe seiner Blöcke, die niemand freigegeben hatte</translation>
    </message>
    <message>
        <source>Share %</source>
        <translation>Anteil %</translation>
    </message>
    <message>
        <source>Of everything allocated then</source>
        <translation>Von allem, was damals belegt war</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>Wie viele</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>The largest block of them</source>
        <translation>Der größte Block davon</translation>
    </message>
    <message>
        <source>Rank %1, GPU %2, snapshot</source>
        <translation>Rang %1, GPU %2, Snapshot</translation>
    </message>
    <message>
        <source>This selection of the run has no samples of the allocator. Record them with

torch.profiler.profile(…, profile_memory=True)

The trace then has each allocation and free with its size, and the totals. Memory snapshots of PyTorch beside the traces are shown here too.</source>
        <translation>Diese Auswahl des Laufs hat keine Messwerte des Allokators. Zeichnen Sie sie auf mit

torch.profiler.profile(…, profile_memory=True)

Der Trace enthält dann jede Belegung und Freigabe mit ihrer Größe und die Summen. Auch Speicher-Snapshots von PyTorch neben den Traces werden hier gezeigt.</translation>
    </message>
    <message>
        <source>Fragmented: %1</source>
        <translation>Zerstückelt: %1</translation>
    </message>
    <message>
        <source>The innermost frame of the program, outside of installed packages</source>
        <translation>Der innerste Rahmen des Programms außerhalb installierter Pakete</translation>
    </message>
    <message>
        <source>no stack recorded</source>
        <translation>kein Stapel aufgezeichnet</translation>
    </message>
    <message>
        <source>Its category where the snapshot tells it, else the next frame of the program around it</source>
        <translation>Seine Art, wo der Snapshot sie nennt, sonst der nächste Rahmen des Programms darum herum</translation>
    </message>
</context>
<context>
    <name>rankscope::MetricChangeModel</name>
    <message>
        <source>▲ better</source>
        <translation>▲ besser</translation>
    </message>
    <message>
        <source>▼ worse</source>
        <translation>▼ schlechter</translation>
    </message>
    <message>
        <source>= similar</source>
        <translation>= ähnlich</translation>
    </message>
    <message>
        <source>◆ changed</source>
        <translation>◆ geändert</translation>
    </message>
    <message>
        <source>only in the baseline</source>
        <translation>nur in der Basis</translation>
    </message>
    <message>
        <source>not in the baseline</source>
        <translation>nicht in der Basis</translation>
    </message>
    <message>
        <source>%1 by rank (%2): %3</source>
        <translation>%1 nach Rang (%2): %3</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>and %1 more</source>
        <translation>
            <numerusform>und %1 weiterer</numerusform>
            <numerusform>und %1 weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>This metric has no value of its own for each rank.</source>
        <translation>Diese Metrik hat keinen eigenen Wert je Rang.</translation>
    </message>
    <message>
        <source>Click: show the place that explains it.</source>
        <translation>Klick: die Stelle zeigen, die das erklärt.</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>Nach Rang</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>The change: %1 ± %2 (95 % interval)</source>
        <translation>Die Änderung: %1 ± %2 (95-%-Intervall)</translation>
    </message>
    <message>
        <source>No interval of the change: %1.</source>
        <translation>Kein Intervall der Änderung: %1.</translation>
    </message>
    <message>
        <source>The change is within its interval, so it counts as similar.</source>
        <translation>Die Änderung liegt in ihrem Intervall, gilt also als ähnlich.</translation>
    </message>
    <message>
        <source>; ± %1 between its steps (standard deviation)</source>
        <translation>; ± %1 zwischen seinen Schritten (Standardabweichung)</translation>
    </message>
    <message>
        <source>Per step</source>
        <translation>Je Schritt</translation>
    </message>
</context>
<context>
    <name>rankscope::MetricTree</name>
    <message>
        <source>more in metrics.csv</source>
        <translation>mehr in metrics.csv</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>All metrics</source>
        <translation>Alle Metriken</translation>
    </message>
    <message>
        <source>Copy as tab-separated text</source>
        <translation>Als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>Click: show the evidence</source>
        <translation>Klick: zeigt, woran es zu sehen ist</translation>
    </message>
    <message>
        <source>Of the ranks that are recorded at least this, because %1.</source>
        <translation>Von den aufgezeichneten Rängen mindestens das, weil %1.</translation>
    </message>
    <message>
        <source>Of the ranks that are recorded at most this, because %1.</source>
        <translation>Von den aufgezeichneten Rängen höchstens das, weil %1.</translation>
    </message>
</context>
<context>
    <name>rankscope::Minimap</name>
    <message>
        <source>Minimap</source>
        <translation>Übersichtsleiste</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>untätig %1</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message numerus="yes">
        <source>The whole run, mean of %1 ranks: %2</source>
        <translation>
            <numerusform>Der ganze Lauf, Mittel über %1 Rang: %2</numerusform>
            <numerusform>Der ganze Lauf, Mittel über %1 Ränge: %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag the window or its edges; click to go there; double-click to see all</source>
        <translation>Fenster oder Kanten ziehen; Klick: hingehen; Doppelklick: alles zeigen</translation>
    </message>
</context>
<context>
    <name>rankscope::NameFilterBar</name>
    <message>
        <source>Show all names</source>
        <translation>Alle Namen zeigen</translation>
    </message>
    <message>
        <source>Filter of names</source>
        <translation>Filter der Namen</translation>
    </message>
    <message>
        <source>Names hidden: %1</source>
        <translation>Ausgeblendete Namen: %1</translation>
    </message>
    <message>
        <source>Only one name is shown: %1</source>
        <translation>Nur ein Name ist zu sehen: %1</translation>
    </message>
    <message>
        <source>hidden: %1</source>
        <translation>ausgeblendet: %1</translation>
    </message>
</context>
<context>
    <name>rankscope::NameStatisticsPane</name>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>Kürzester</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Längster</translation>
    </message>
    <message>
        <source>This rank</source>
        <translation>Dieser Rang</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>Statistics of all events of this name</source>
        <translation>Statistik aller Ereignisse dieses Namens</translation>
    </message>
    <message>
        <source>All of this name</source>
        <translation>Alle dieses Namens</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
</context>
<context>
    <name>rankscope::Navigation</name>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Befehle …</translation>
    </message>
    <message>
        <source>Find a command by its name and run it</source>
        <translation>Einen Befehl nach seinem Namen suchen und ausführen</translation>
    </message>
    <message>
        <source>&amp;Rank or lane…</source>
        <translation>&amp;Rang oder Spur …</translation>
    </message>
    <message>
        <source>Find a rank or lane by its name and show it</source>
        <translation>Einen Rang oder eine Spur nach Namen suchen und zeigen</translation>
    </message>
    <message>
        <source>&amp;Time, step or call…</source>
        <translation>&amp;Zeit, Schritt oder Aufruf …</translation>
    </message>
    <message>
        <source>Go to a time, a step, or the n-th call of a kernel or collective</source>
        <translation>Zu einer Zeit, einem Schritt oder dem n-ten Aufruf eines Kernels oder einer Kollektive gehen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type a command&apos;s name</source>
        <translation>Name eines Befehls</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Ranks and lanes</source>
        <translation>Ränge und Spuren</translation>
    </message>
    <message>
        <source>Type a rank or lane: 12, or 12 stream 7</source>
        <translation>Rang oder Spur: 12, oder 12 stream 7</translation>
    </message>
</context>
<context>
    <name>rankscope::NoticesBar</name>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Show all notices</source>
        <translation>Alle Hinweise zeigen</translation>
    </message>
    <message>
        <source>Hide until something new turns up</source>
        <translation>Ausblenden, bis etwas Neues auftaucht</translation>
    </message>
    <message>
        <source>Hide notices</source>
        <translation>Hinweise ausblenden</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>All notices</source>
        <translation>Alle Hinweise</translation>
    </message>
    <message>
        <source>Hide list</source>
        <translation>Liste ausblenden</translation>
    </message>
    <message>
        <source>Show notice</source>
        <translation>Hinweis zeigen</translation>
    </message>
    <message>
        <source>Show all %1</source>
        <translation>Alle %1 zeigen</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>Was zu tun ist: %1</translation>
    </message>
</context>
<context>
    <name>rankscope::OpeningController</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>&amp;Ordner öffnen …</translation>
    </message>
    <message>
        <source>Open a folder of traces</source>
        <translation>Einen Ordner mit Traces öffnen</translation>
    </message>
    <message>
        <source>Open f&amp;ile…</source>
        <translation>&amp;Datei öffnen …</translation>
    </message>
    <message>
        <source>Open one trace file</source>
        <translation>Eine Trace-Datei öffnen</translation>
    </message>
    <message>
        <source>Open a trace file</source>
        <translation>Eine Trace-Datei öffnen</translation>
    </message>
    <message>
        <source>Traces (*.json *.gz *.zst *.sqlite *.nsys-rep *.csv *.txt);;All files (*)</source>
        <translation>Traces (*.json *.gz *.zst *.sqlite *.nsys-rep *.csv *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1: no such file or folder. Open a folder of traces with %2.</source>
        <translation>%1: keine solche Datei und kein solcher Ordner. Öffnen Sie mit %2 einen Ordner mit Traces.</translation>
    </message>
    <message>
        <source>%1 – open another run with Ctrl+O</source>
        <translation>%1 – mit Strg+O einen anderen Lauf öffnen</translation>
    </message>
    <message>
        <source>Open &amp;remote…</source>
        <translation>Von &amp;anderem Rechner öffnen …</translation>
    </message>
    <message>
        <source>Open a run on another machine, over ssh</source>
        <translation>Einen Lauf auf einem anderen Rechner öffnen, über ssh</translation>
    </message>
</context>
<context>
    <name>rankscope::OperatorChangeModel</name>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Matched by the shortened name.
Baseline: %1
Test: %2</source>
        <translation>Zugeordnet über den gekürzten Namen.
Basis: %1
Test: %2</translation>
    </message>
    <message>
        <source>Operator or kernel</source>
        <translation>Operator oder Kernel</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Baseline calls</source>
        <translation>Aufrufe Basis</translation>
    </message>
    <message>
        <source>Test calls</source>
        <translation>Aufrufe Test</translation>
    </message>
    <message>
        <source>Baseline time</source>
        <translation>Zeit Basis</translation>
    </message>
    <message>
        <source>Test time</source>
        <translation>Zeit Test</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Mean change</source>
        <translation>Mittel, Änderung</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Matched by name, then without template arguments and addresses</source>
        <translation>Zugeordnet nach Namen, dann ohne Template-Argumente und Adressen</translation>
    </message>
    <message>
        <source>Where it ran</source>
        <translation>Wo er lief</translation>
    </message>
    <message>
        <source>Calls per rank</source>
        <translation>Aufrufe je Rang</translation>
    </message>
    <message>
        <source>Summed duration per rank</source>
        <translation>Summe der Dauern je Rang</translation>
    </message>
    <message>
        <source>Change of the mean duration of one call</source>
        <translation>Änderung der mittleren Dauer eines Aufrufs</translation>
    </message>
    <message>
        <source>Added, removed, more or fewer calls</source>
        <translation>Neu, entfallen, mehr oder weniger Aufrufe</translation>
    </message>
    <message>
        <source>Test − baseline, per rank: what the change costs. Sorted by size, whatever the sign</source>
        <translation>Test − Basis, je Rang: was die Änderung kostet. Sortiert nach Größe, gleich mit welchem Vorzeichen</translation>
    </message>
    <message>
        <source>%1. Of one step, on average</source>
        <translation>%1. Je Schritt, im Mittel</translation>
    </message>
    <message>
        <source>%1
a step</source>
        <translation>%1
je Schritt</translation>
    </message>
</context>
<context>
    <name>rankscope::OverlaidHistograms</name>
    <message>
        <source>Select a kernel to see how its durations are spread in both runs.</source>
        <translation>Wählen Sie einen Kernel, um die Verteilung seiner Dauern in beiden Läufen zu sehen.</translation>
    </message>
    <message>
        <source>Neither run has calls of this kernel.</source>
        <translation>Kein Lauf hat Aufrufe dieses Kernels.</translation>
    </message>
    <message>
        <source>no calls</source>
        <translation>keine Aufrufe</translation>
    </message>
    <message>
        <source>%1. Baseline: %2. Test: %3.</source>
        <translation>%1. Basis: %2. Test: %3.</translation>
    </message>
    <message>
        <source>duration (logarithmic) · height: share of the run&apos;s calls</source>
        <translation>Dauer (logarithmisch) · Höhe: Anteil an den Aufrufen des Laufs</translation>
    </message>
    <message>
        <source>baseline (hatched): median %1</source>
        <translation>Basis (schraffiert): Median %1</translation>
    </message>
    <message>
        <source>test (filled): median %1</source>
        <translation>Test (gefüllt): Median %1</translation>
    </message>
    <message>
        <source>%1, median %2</source>
        <translation>%1, Median %2</translation>
    </message>
</context>
<context>
    <name>rankscope::OverlayLegend</name>
    <message>
        <source>Overlays</source>
        <translation>Overlays</translation>
    </message>
    <message>
        <source>Overlay: %1</source>
        <translation>Overlay: %1</translation>
    </message>
    <message>
        <source>There is nothing to show until the run is analysed.</source>
        <translation>Es gibt nichts zu zeigen, bis der Lauf ausgewertet ist.</translation>
    </message>
</context>
<context>
    <name>rankscope::Overview</name>
    <message>
        <source>Findings, in a sentence</source>
        <translation>Befunde, in einem Satz</translation>
    </message>
    <message>
        <source>The whole recording</source>
        <translation>Die ganze Aufzeichnung</translation>
    </message>
    <message>
        <source>Parallel efficiency: what of the ranks&apos; time is computation</source>
        <translation>Parallele Effizienz: welcher Teil der Zeit der Ränge Rechnen ist</translation>
    </message>
    <message>
        <source>All metrics</source>
        <translation>Alle Metriken</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Most %1</source>
        <translation>Meiste: %1</translation>
    </message>
    <message>
        <source>Sort ranks by</source>
        <translation>Ränge sortieren nach</translation>
    </message>
    <message>
        <source>&amp;Sort:</source>
        <translation>&amp;Sortieren:</translation>
    </message>
    <message>
        <source>Per cent</source>
        <translation>Prozent</translation>
    </message>
    <message>
        <source>Each rank&apos;s parts in per cent of its own GPU time, instead of time</source>
        <translation>Die Teile jedes Rangs in Prozent seiner eigenen GPU-Zeit statt als Zeit</translation>
    </message>
    <message>
        <source>Per cent instead of time</source>
        <translation>Prozent statt Zeit</translation>
    </message>
    <message>
        <source>Numbers of each rank</source>
        <translation>Zahlen jedes Rangs</translation>
    </message>
    <message>
        <source>Copy as tab-separated text</source>
        <translation>Als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>Up / Down</source>
        <translation>Auf / Ab</translation>
    </message>
    <message>
        <source>Go through the ranks&apos; bars</source>
        <translation>Durch die Balken der Ränge gehen</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>Show the rank in the timeline</source>
        <translation>Den Rang in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>W on a finding</source>
        <translation>W auf einem Befund</translation>
    </message>
    <message>
        <source>What if this were fixed: the predicted time of a step</source>
        <translation>Was wäre, wenn das behoben wäre: die vorhergesagte Zeit eines Schritts</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>Enter, click on a number or sentence</source>
        <translation>Enter, Klick auf eine Zahl oder einen Satz</translation>
    </message>
    <message>
        <source>Show its evidence</source>
        <translation>Zeigen, woran es zu sehen ist</translation>
    </message>
    <message>
        <source>Left / Right</source>
        <translation>Links / Rechts</translation>
    </message>
    <message>
        <source>Go through the parts of a step, and its steps</source>
        <translation>Durch die Teile eines Schritts und durch die Schritte gehen</translation>
    </message>
    <message>
        <source>What could not be judged</source>
        <translation>Was nicht beurteilt werden konnte</translation>
    </message>
    <message>
        <source>What was counted</source>
        <translation>Was gezählt wurde</translation>
    </message>
    <message>
        <source>GPU time of each rank in the whole recording</source>
        <translation>GPU-Zeit jedes Rangs in der ganzen Aufzeichnung</translation>
    </message>
    <message>
        <source>The part in use</source>
        <translation>Der verwendete Ausschnitt</translation>
    </message>
    <message>
        <source>GPU time of each rank in the part in use</source>
        <translation>GPU-Zeit jedes Rangs im verwendeten Ausschnitt</translation>
    </message>
</context>
<context>
    <name>rankscope::PanelController</name>
    <message>
        <source>Below the timeline</source>
        <translation>Unter der Zeitachse</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Panels below the timeline</source>
        <translation>&amp;Felder unter der Zeitachse</translation>
    </message>
    <message>
        <source>Open or fold them</source>
        <translation>Auf- oder zuklappen</translation>
    </message>
    <message>
        <source>P&amp;anel</source>
        <translation>Fel&amp;d</translation>
    </message>
</context>
<context>
    <name>rankscope::PartLegend</name>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>Click to sort by it.</source>
        <translation>Klick: danach sortieren.</translation>
    </message>
</context>
<context>
    <name>rankscope::PeersModel</name>
    <message>
        <source>%1 (last)</source>
        <translation>%1 (letzter)</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erster</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Verzug</translation>
    </message>
</context>
<context>
    <name>rankscope::PeersPane</name>
    <message>
        <source>The same collective on all ranks</source>
        <translation>Dieselbe Kollektive auf allen Rängen</translation>
    </message>
    <message>
        <source>All arrive together</source>
        <translation>Alle kommen zusammen an</translation>
    </message>
    <message>
        <source>Rank %1 is last, %2 after the first</source>
        <translation>Rang %1 ist der letzte, %2 nach dem ersten</translation>
    </message>
    <message>
        <source>%1 (not all members are in the trace)</source>
        <translation>%1 (nicht alle Mitglieder sind im Trace)</translation>
    </message>
</context>
<context>
    <name>rankscope::PipelineChart</name>
    <message>
        <source>warm-up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>stationär</translation>
    </message>
    <message>
        <source>cool-down</source>
        <translation>Cool-down</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>Stages of the pipeline over time</source>
        <translation>Stufen der Pipeline über der Zeit</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>Ablauf der Pipeline</translation>
    </message>
    <message>
        <source>stage %1 · rank %2</source>
        <translation>Stufe %1 · Rang %2</translation>
    </message>
    <message>
        <source>ideal %1 · %2</source>
        <translation>ideal %1 · %2</translation>
    </message>
    <message>
        <source>from the start of the step (%1)</source>
        <translation>ab Beginn des Schritts (%1)</translation>
    </message>
    <message>
        <source>Ideal schedule, stage %1: %2, %3</source>
        <translation>Idealer Ablauf, Stufe %1: %2, %3</translation>
    </message>
    <message>
        <source>Stage %1, rank %2</source>
        <translation>Stufe %1, Rang %2</translation>
    </message>
    <message>
        <source>%1: %2 bubble, %3, %4 of the step</source>
        <translation>%1: Bubble (%2), %3, %4 des Schritts</translation>
    </message>
    <message>
        <source>%1: message, %2 (%3)</source>
        <translation>%1: Nachricht, %2 (%3)</translation>
    </message>
    <message>
        <source>%1: compute of no pass, %2</source>
        <translation>%1: Rechnen ohne Durchgang, %2</translation>
    </message>
    <message>
        <source>forward pass of microbatch %1</source>
        <translation>Forward von Mikrobatch %1</translation>
    </message>
    <message>
        <source>backward pass of microbatch %1</source>
        <translation>Backward von Mikrobatch %1</translation>
    </message>
    <message>
        <source>weight gradient of microbatch %1</source>
        <translation>Gewichtsgradient von Mikrobatch %1</translation>
    </message>
    <message>
        <source>%1 through part %2 of the model</source>
        <translation>%1 durch Teil %2 des Modells</translation>
    </message>
    <message>
        <source>%1, together with %2</source>
        <translation>%1, zusammen mit %2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
</context>
<context>
    <name>rankscope::PipelineLegend</name>
    <message>
        <source>F forward</source>
        <translation>F Forward</translation>
    </message>
    <message>
        <source>B backward</source>
        <translation>B Backward</translation>
    </message>
    <message>
        <source>W weight gradient</source>
        <translation>W Gewichtsgradient</translation>
    </message>
    <message>
        <source>other compute</source>
        <translation>anderes Rechnen</translation>
    </message>
    <message>
        <source>message (below)</source>
        <translation>Nachricht (unten)</translation>
    </message>
    <message>
        <source>bubble (hatched)</source>
        <translation>Bubble (schraffiert)</translation>
    </message>
    <message>
        <source>Legend of the pipeline</source>
        <translation>Legende der Pipeline</translation>
    </message>
</context>
<context>
    <name>rankscope::PipelineScreen</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>A stage waits for its neighbours %1 of the %2 step (%3)</source>
        <translation>Eine Stufe wartet %1 des Schritts von %2 auf ihre Nachbarn (%3)</translation>
    </message>
    <message>
        <source>In an ideal %1 schedule of the same passes, all equally long and messages free, a stage waits %2 before its last pass; the passes take %3.</source>
        <translation>In einem idealen Ablauf %1 mit denselben Durchgängen, alle gleich lang und Nachrichten kostenlos, wartet eine Stufe %2 vor ihrem letzten Durchgang; die Durchgänge dauern %3.</translation>
    </message>
    <message>
        <source>No ideal schedule beside it: %1.</source>
        <translation>Kein idealer Ablauf daneben: %1.</translation>
    </message>
    <message>
        <source>Beside bubbles: %1 for other communication, %2 idle for other causes.</source>
        <translation>Neben Bubbles: %1 andere Kommunikation, %2 Leerlauf aus anderen Gründen.</translation>
    </message>
    <message>
        <source>No messages of the pipeline are recorded, so every long gap counts as a bubble.</source>
        <translation>Keine Nachrichten der Pipeline sind aufgezeichnet; daher zählt jede lange Lücke als Bubble.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>&amp;Step:</source>
        <translation>&amp;Schritt:</translation>
    </message>
    <message>
        <source>P&amp;ipeline:</source>
        <translation>P&amp;ipeline:</translation>
    </message>
    <message>
        <source>Bubbles of each stage</source>
        <translation>Bubbles jeder Stufe</translation>
    </message>
    <message>
        <source>Click, Enter</source>
        <translation>Klick, Eingabe</translation>
    </message>
    <message>
        <source>Show the pass, message or bubble in the timeline</source>
        <translation>Durchgang, Nachricht oder Bubble in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>Pfeile</translation>
    </message>
    <message>
        <source>Go from pass to pass and stage to stage</source>
        <translation>Von Durchgang zu Durchgang und Stufe zu Stufe gehen</translation>
    </message>
    <message>
        <source>Ctrl+wheel, W / S</source>
        <translation>Strg+Rad, W / S</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoomen</translation>
    </message>
    <message>
        <source>Wheel, drag, A / D</source>
        <translation>Rad, Ziehen, A / D</translation>
    </message>
    <message>
        <source>Move along the time</source>
        <translation>In der Zeit verschieben</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>The whole step</source>
        <translation>Der ganze Schritt</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>No pipeline in this run</source>
        <translation>Keine Pipeline in diesem Lauf</translation>
    </message>
    <message>
        <source>No stages are known of this run</source>
        <translation>Keine Stufen dieses Laufs bekannt</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>Ränge %1</translation>
    </message>
    <message>
        <source>No steps in what is shown</source>
        <translation>Keine Schritte in dem, was gezeigt wird</translation>
    </message>
    <message>
        <source>No GPU work of a profiler step lies in the range that is used.</source>
        <translation>Keine GPU-Arbeit eines Profilerschritts liegt im benutzten Bereich.</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>Steady</source>
        <translation>Stationär</translation>
    </message>
    <message>
        <source>Cool-down</source>
        <translation>Cool-down</translation>
    </message>
    <message>
        <source>Comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Bubble (%)</source>
        <translation>Bubble (%)</translation>
    </message>
    <message>
        <source>Stages and microbatches are drawn for runs with pipeline parallelism. Record the ranks of all stages, name the microbatches:

with torch.profiler.record_function(f&quot;Forward {microbatch}&quot;):

and put the degree of the pipeline into train_config.toml beside the traces, or into a workload card:

[parallelism]
pipeline_parallel_degree = 4</source>
        <translation>Stufen und Microbatches werden für Läufe mit Pipeline-Parallelität gezeichnet. Zeichnen Sie die Ränge aller Stufen auf, benennen Sie die Microbatches:

with torch.profiler.record_function(f&quot;Forward {microbatch}&quot;):

und schreiben Sie den Grad der Pipeline in train_config.toml neben den Traces oder in eine Workload-Karte:

[parallelism]
pipeline_parallel_degree = 4</translation>
    </message>
    <message>
        <source>What is recorded is %1, which leaves %2 of a step idle where all passes are equally long.</source>
        <translation>Aufgezeichnet ist %1; wo alle Durchgänge gleich lang sind, bleiben dabei %2 eines Schritts ungenutzt.</translation>
    </message>
</context>
<context>
    <name>rankscope::QueryPanel</name>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Plot</source>
        <translation>&amp;Diagramm</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Abfrage</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>select name, count(*), sum(dur_ns) from kernel group by name order by 3 desc   (Ctrl+Enter runs it)</source>
        <translation>select name, count(*), sum(dur_ns) from kernel group by name order by 3 desc   (Strg+Eingabe führt aus)</translation>
    </message>
    <message>
        <source>Run the query (Ctrl+Enter)</source>
        <translation>Abfrage ausführen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Markieren</translation>
    </message>
    <message>
        <source>Mark the events of all rows on the timeline, as search hits are; needs a column id or event_id</source>
        <translation>Die Ereignisse aller Zeilen in der Zeitachse markieren wie Suchtreffer; braucht eine Spalte id oder event_id</translation>
    </message>
    <message>
        <source>Plot one column over another</source>
        <translation>Eine Spalte über einer anderen zeichnen</translation>
    </message>
    <message>
        <source>Column across</source>
        <translation>Spalte waagerecht</translation>
    </message>
    <message>
        <source>Column up</source>
        <translation>Spalte senkrecht</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Query plot</source>
        <translation>Diagramm der Abfrage</translation>
    </message>
    <message>
        <source>Query result</source>
        <translation>Ergebnis der Abfrage</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitachse</translation>
    </message>
    <message>
        <source>S&amp;QL query…</source>
        <translation>S&amp;QL-Abfrage …</translation>
    </message>
    <message>
        <source>Ask for events, kernels, collectives, steps and metrics in SQL</source>
        <translation>Ereignisse, Kernel, Kollektiven, Schritte und Metriken mit SQL abfragen</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Läuft …</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message numerus="yes">
        <source>%1 rows</source>
        <translation>
            <numerusform>%1 Zeile</numerusform>
            <numerusform>%1 Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the first %1 rows</source>
        <translation>
            <numerusform>die erste %1 Zeile</numerusform>
            <numerusform>die ersten %1 Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>1 event marked</source>
        <translation>1 Ereignis markiert</translation>
    </message>
    <message numerus="yes">
        <source>%1 events marked</source>
        <translation>
            <numerusform>%1 Ereignis markiert</numerusform>
            <numerusform>%1 Ereignisse markiert</numerusform>
        </translation>
    </message>
    <message>
        <source>; Ctrl+Space lists tables and columns</source>
        <translation>; Strg+Leertaste zeigt Tabellen und Spalten</translation>
    </message>
</context>
<context>
    <name>rankscope::RangeComparisonModel</name>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>GPU idle</source>
        <translation>GPU untätig</translation>
    </message>
    <message>
        <source>Summed over all ranks</source>
        <translation>Summe über alle Ränge</translation>
    </message>
</context>
<context>
    <name>rankscope::RangePanel</name>
    <message>
        <source>Use in all screens</source>
        <translation>In allen Ansichten nutzen</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Statistics of the range</source>
        <translation>Statistik des Bereichs</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitachse</translation>
    </message>
    <message>
        <source>Ran&amp;ge</source>
        <translation>B&amp;ereich</translation>
    </message>
    <message>
        <source>&amp;Use in all screens</source>
        <translation>In allen &amp;Ansichten nutzen</translation>
    </message>
    <message>
        <source>Count the marked range only, in all screens</source>
        <translation>In allen Ansichten nur den markierten Bereich zählen</translation>
    </message>
    <message>
        <source>&amp;Step out</source>
        <translation>&amp;Heraustreten</translation>
    </message>
    <message>
        <source>Return to the range used before, or to the whole run</source>
        <translation>Zum vorigen Bereich zurück, oder zum ganzen Lauf</translation>
    </message>
    <message>
        <source>Use the &amp;whole run</source>
        <translation>Den ganzen &amp;Lauf nutzen</translation>
    </message>
    <message>
        <source>Forget the ranges used in all screens</source>
        <translation>Die in allen Ansichten genutzten Bereiche vergessen</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>Nach %1</translation>
    </message>
    <message>
        <source>Overview and all other screens count this range only, until you step out of it</source>
        <translation>Übersicht und alle anderen Ansichten zählen nur diesen Bereich, bis Sie heraustreten</translation>
    </message>
    <message>
        <source>Copy the selected rows, or all, as tab-separated text</source>
        <translation>Die gewählten oder alle Zeilen als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>Drag on the ruler, or with Shift among the lanes, to mark a range.</source>
        <translation>Ziehen auf dem Lineal, oder mit Umschalt zwischen den Spuren, markiert einen Bereich.</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <translation>%1, ab %2</translation>
    </message>
    <message>
        <source>%1 · adding up…</source>
        <translation>%1 · wird ausgewertet …</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2 GPU events, %3 summed</source>
        <translation>
            <numerusform>%1 · %2 GPU-Ereignis, Summe %3</numerusform>
            <numerusform>%1 · %2 GPU-Ereignisse, Summe %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>End comparison</source>
        <translation>Vergleich beenden</translation>
    </message>
    <message>
        <source>&amp;Compare with others</source>
        <translation>Mit anderen &amp;vergleichen</translation>
    </message>
    <message>
        <source>Keep the marked range, to put the next one that is marked beside it</source>
        <translation>Den markierten Bereich behalten, um den nächsten markierten daneben zu stellen</translation>
    </message>
    <message>
        <source>Forget the ranges that are compared</source>
        <translation>Die verglichenen Bereiche vergessen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 · mark another range to compare with it</source>
        <translation>%1 · markieren Sie zum Vergleich einen weiteren Bereich</translation>
    </message>
    <message>
        <source>Keep this range and mark another one: the table shows both side by side. Dragging with Ctrl does the same.</source>
        <translation>Diesen Bereich behalten und einen weiteren markieren: Die Tabelle zeigt beide nebeneinander. Ziehen mit Strg bewirkt dasselbe.</translation>
    </message>
    <message>
        <source>End the c&amp;omparison</source>
        <translation>Vergle&amp;ich beenden</translation>
    </message>
</context>
<context>
    <name>rankscope::RangeTableModel</name>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>(no operator known)</source>
        <translation>(kein Operator bekannt)</translation>
    </message>
    <message>
        <source>Of the summed time of all GPU events in the range</source>
        <translation>An der summierten Zeit aller GPU-Ereignisse im Bereich</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Share (%)</source>
        <translation>Anteil (%)</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Min</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
</context>
<context>
    <name>rankscope::RankBars</name>
    <message>
        <source>Time per rank, stacked bars</source>
        <translation>Zeit je Rang, gestapelte Balken</translation>
    </message>
    <message>
        <source>% of the rank&apos;s GPU time</source>
        <translation>% der GPU-Zeit des Rangs</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
</context>
<context>
    <name>rankscope::RankTableModel</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1, %2</source>
        <translation>GPU %1, %2</translation>
    </message>
    <message>
        <source>Compute
only</source>
        <translation>Nur
Rechnen</translation>
    </message>
    <message>
        <source>Overlapped
</source>
        <translation>Überlappt
</translation>
    </message>
    <message>
        <source>Memory
copy</source>
        <translation>Speicher-
kopie</translation>
    </message>
    <message>
        <source>Idle
</source>
        <translation>Leerlauf
</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>GPU
time</source>
        <translation>GPU-
Zeit</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Comm.
kernels</source>
        <translation>Komm.-
Kernel</translation>
    </message>
    <message>
        <source>Comm. and
waiting</source>
        <translation>Komm. und
Warten</translation>
    </message>
    <message>
        <source>Host
step</source>
        <translation>Schritt
(Host)</translation>
    </message>
</context>
<context>
    <name>rankscope::ReadingController</name>
    <message>
        <source>%1 cannot be analysed. %2</source>
        <translation>%1 kann nicht ausgewertet werden. %2</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Cancel reading</source>
        <translation>Lesen abbre&amp;chen</translation>
    </message>
    <message>
        <source>Stop reading the run that is being read</source>
        <translation>Das Lesen des Laufs abbrechen</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Generating two runs of 8 ranks</source>
        <translation>Zwei Läufe mit 8 Rängen werden erzeugt</translation>
    </message>
    <message>
        <source>Reading the full trace of rank %1</source>
        <translation>Der volle Trace von Rang %1 wird gelesen</translation>
    </message>
    <message>
        <source>Copy Rankscope to another machine?</source>
        <translation>Rankscope auf einen anderen Rechner kopieren?</translation>
    </message>
    <message>
        <source>Connecting to fetch %1</source>
        <translation>Verbindung, um %1 zu holen</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>%1 wird geholt</translation>
    </message>
    <message>
        <source>timelines of the ranks</source>
        <translation>Zeitachsen der Ränge</translation>
    </message>
    <message>
        <source>matching collectives</source>
        <translation>kollektive Aufrufe zuordnen</translation>
    </message>
    <message>
        <source>clocks and stragglers</source>
        <translation>Uhren und Nachzügler</translation>
    </message>
    <message>
        <source>findings and metrics</source>
        <translation>Befunde und Metriken</translation>
    </message>
    <message>
        <source>Analysing %1</source>
        <translation>%1 wird analysiert</translation>
    </message>
</context>
<context>
    <name>rankscope::RecordingGuide</name>
    <message>
        <source>Around the training loop. Then open my_run.</source>
        <translation>Um die Trainingsschleife. Danach my_run öffnen.</translation>
    </message>
    <message>
        <source>In the job&apos;s configuration. Then open its profile_trace folder.</source>
        <translation>In die Konfiguration des Jobs. Danach seinen Ordner profile_trace öffnen.</translation>
    </message>
    <message>
        <source>nsys_node.sh my_run torchrun --nproc-per-node 8 train.py</source>
        <translation>nsys_node.sh my_run torchrun --nproc-per-node 8 train.py</translation>
    </message>
    <message>
        <source>GPU clocks</source>
        <translation>GPU-Takte</translation>
    </message>
    <message>
        <source>gpu_log.sh my_run torchrun --nproc-per-node 8 train.py   Beside any other recording.</source>
        <translation>gpu_log.sh my_run torchrun --nproc-per-node 8 train.py   Neben jeder anderen Aufnahme.</translation>
    </message>
    <message>
        <source>srun nsys_rank.sh my_run all python train.py   (or 0 instead of all)</source>
        <translation>srun nsys_rank.sh my_run all python train.py   (oder 0 statt all)</translation>
    </message>
    <message>
        <source>sbatch slurm_job.sbatch python train.py</source>
        <translation>sbatch slurm_job.sbatch python train.py</translation>
    </message>
    <message>
        <source>sweep.sh runs NCCL_ALGO &quot;Ring Tree&quot; torchrun train.py   One run for each setting.</source>
        <translation>sweep.sh runs NCCL_ALGO &quot;Ring Tree&quot; torchrun train.py   Ein Lauf je Einstellung.</translation>
    </message>
    <message>
        <source>No traces yet?</source>
        <translation>Noch keine Traces?</translation>
    </message>
    <message>
        <source>A run is a folder with one trace file for each rank, as the PyTorch profiler writes them (.json, .json.gz), or with reports of Nsight Systems (.nsys-rep, .sqlite). Record one with these lines:</source>
        <translation>Ein Lauf ist ein Ordner mit einer Trace-Datei je Rang, wie der PyTorch-Profiler sie schreibt (.json, .json.gz), oder mit Reports von Nsight Systems (.nsys-rep, .sqlite). Diese Zeilen zeichnen einen auf:</translation>
    </message>
    <message>
        <source>Ways to record a run</source>
        <translation>Wege, einen Lauf aufzuzeichnen</translation>
    </message>
    <message>
        <source>Lines that record a run</source>
        <translation>Zeilen, die einen Lauf aufzeichnen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy these lines</source>
        <translation>Diese Zeilen kopieren</translation>
    </message>
    <message>
        <source>&amp;Save all templates…</source>
        <translation>Alle &amp;Vorlagen speichern …</translation>
    </message>
    <message>
        <source>Write the scripts into a folder; they use each other</source>
        <translation>Die Skripte in einen Ordner schreiben; sie benutzen einander</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>%1 is there already; choose another folder</source>
        <translation>%1 gibt es dort schon; wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Save the recording templates in a folder</source>
        <translation>Die Vorlagen in einem Ordner speichern</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>In %1 gespeichert</translation>
    </message>
    <message>
        <source>Slurm job</source>
        <translation>Slurm-Job</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>torchtitan</source>
        <translation>torchtitan</translation>
    </message>
    <message>
        <source>nsys</source>
        <translation>nsys</translation>
    </message>
    <message>
        <source>nsys + srun</source>
        <translation>nsys + srun</translation>
    </message>
</context>
<context>
    <name>rankscope::RemoteDialog</name>
    <message>
        <source>Open a run on another machine</source>
        <translation>Einen Lauf auf einem anderen Rechner öffnen</translation>
    </message>
    <message>
        <source>&amp;Address:</source>
        <translation>&amp;Adresse:</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>ssh://[user@]host[:port]/path. A host of your ssh configuration will do.
ssh logs in with its keys and its agent, and asks for nothing here. Rankscope makes digests there, and only they travel.</source>
        <translation>ssh://[Benutzer@]Rechner[:Port]/Pfad. Ein Rechner Ihrer ssh-Konfiguration genügt.
ssh meldet sich mit seinen Schlüsseln und seinem Agenten an und fragt hier nichts. Rankscope macht dort Digests, und nur sie werden übertragen.</translation>
    </message>
</context>
<context>
    <name>rankscope::RooflinePlot</name>
    <message>
        <source>%1 matrix in TF32</source>
        <translation>%1 Matrix in TF32</translation>
    </message>
    <message>
        <source>%1 matrix</source>
        <translation>%1 Matrix</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>%1: %2 TFLOP/s</source>
        <translation>%1: %2 TFLOP/s</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>FLOPs per byte moved</source>
        <translation>FLOPs je bewegtem Byte</translation>
    </message>
    <message>
        <source>TFLOP/s achieved</source>
        <translation>Erreichte TFLOP/s</translation>
    </message>
    <message>
        <source>memory: %1 TB/s</source>
        <translation>Speicher: %1 TB/s</translation>
    </message>
    <message>
        <source>matrix work</source>
        <translation>Matrixarbeit</translation>
    </message>
    <message>
        <source>everything else</source>
        <translation>alles andere</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 calls</source>
        <translation>
            <numerusform>%1 von %2 Aufruf</numerusform>
            <numerusform>%1 von %2 Aufrufen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 TFLOP/s</source>
        <translation>%1 TFLOP/s</translation>
    </message>
    <message>
        <source>%1 TB/s</source>
        <translation>%1 TB/s</translation>
    </message>
    <message>
        <source>%1 FLOPs per byte</source>
        <translation>%1 FLOPs je Byte</translation>
    </message>
    <message>
        <source>%1 of the calls in TF32</source>
        <translation>%1 der Aufrufe in TF32</translation>
    </message>
    <message>
        <source>in TF32</source>
        <translation>in TF32</translation>
    </message>
    <message>
        <source>%1 of what the device can do, bound by %2</source>
        <translation>%1 dessen, was das Gerät kann; begrenzt durch: %2</translation>
    </message>
    <message>
        <source>computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
</context>
<context>
    <name>rankscope::RunDisplay</name>
    <message>
        <source>; the button beside the run&apos;s name opens them</source>
        <translation>; der Knopf neben dem Namen des Laufs öffnet sie</translation>
    </message>
    <message>
        <source>Rankscope</source>
        <translation>Rankscope</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>%1 – Rankscope</source>
        <translation>%1 – Rankscope</translation>
    </message>
    <message>
        <source>%1, reading</source>
        <translation>%1, wird gelesen</translation>
    </message>
    <message>
        <source>◇ The job hangs. %1</source>
        <translation>◇ Der Job hängt. %1</translation>
    </message>
</context>
<context>
    <name>rankscope::RunHeader</name>
    <message>
        <source>Screens</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Capture on screen</source>
        <translation>Gezeigte Aufzeichnung</translation>
    </message>
    <message>
        <source>This run was recorded by several tools: choose which capture is shown, or compare them</source>
        <translation>Mehrere Werkzeuge haben diesen Lauf aufgezeichnet: Wählen Sie, welche Aufzeichnung gezeigt wird, oder vergleichen Sie sie</translation>
    </message>
    <message>
        <source>Capture of the run: %1</source>
        <translation>Aufzeichnung des Laufs: %1</translation>
    </message>
    <message>
        <source>Compare the two captures</source>
        <translation>Die zwei Aufzeichnungen vergleichen</translation>
    </message>
    <message numerus="yes">
        <source>Compare all %1 captures</source>
        <translation>
            <numerusform>Alle %1 Aufzeichnungen vergleichen</numerusform>
            <numerusform>Alle %1 Aufzeichnungen vergleichen</numerusform>
        </translation>
    </message>
    <message>
        <source>baseline → test</source>
        <translation>Basis → Test</translation>
    </message>
    <message>
        <source>This run has nothing to show here</source>
        <translation>Dieser Lauf hat hier nichts zu zeigen</translation>
    </message>
</context>
<context>
    <name>rankscope::RunOnScreen</name>
    <message>
        <source>Reading… The timeline already shows the ranks that are there.</source>
        <translation>Wird gelesen … Die Zeitachse zeigt schon die Ränge, die da sind.</translation>
    </message>
    <message>
        <source>Adding up…</source>
        <translation>Wird ausgewertet …</translation>
    </message>
    <message>
        <source>The range cannot be analysed. %1</source>
        <translation>Der Bereich kann nicht ausgewertet werden. %1</translation>
    </message>
</context>
<context>
    <name>rankscope::RunsModel</name>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message numerus="yes">
        <source>%1 files</source>
        <translation>
            <numerusform>%1 Datei</numerusform>
            <numerusform>%1 Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 ranks</source>
        <translation>
            <numerusform>%1 von %2 Rang</numerusform>
            <numerusform>%1 von %2 Rängen</numerusform>
        </translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rang</translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <translation>
            <numerusform>%1 Rang</numerusform>
            <numerusform>%1 Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>reading, %1</source>
        <translation>wird gelesen, %1</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>noch nicht gelesen</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Double-click: open it. Drag it onto another run: compare the two.</source>
        <translation>Doppelklick: öffnen. Auf einen anderen Lauf ziehen: die beiden vergleichen.</translation>
    </message>
    <message>
        <source>read, but not whole</source>
        <translation>gelesen, aber unvollständig</translation>
    </message>
    <message>
        <source>Not whole: %1</source>
        <translation>Unvollständig: %1</translation>
    </message>
    <message numerus="yes">
        <source>and %1 more</source>
        <translation>
            <numerusform>und %1 weitere</numerusform>
            <numerusform>und %1 weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Step on the host</source>
        <translation>Schritt auf dem Host</translation>
    </message>
</context>
<context>
    <name>rankscope::RunsPanel</name>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Drop folders of traces here, or open one. Drop one run onto another to compare them.</source>
        <translation>Legen Sie hier Ordner mit Traces ab, oder öffnen Sie einen. Ziehen Sie einen Lauf auf einen anderen, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>Ordner öffnen …</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>No run matches the filter.</source>
        <translation>Kein Lauf passt zum Filter.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Show the selected runs side by side; with one selected, all of its folder</source>
        <translation>Die ausgewählten Läufe nebeneinander zeigen; ist nur einer ausgewählt, alle seines Ordners</translation>
    </message>
    <message>
        <source>Compare the runs</source>
        <translation>Die Läufe vergleichen</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Show the selected runs as one series; with one selected, all of its folder</source>
        <translation>Die ausgewählten Läufe als eine Reihe zeigen; ist nur einer ausgewählt, alle seines Ordners</translation>
    </message>
    <message>
        <source>Study the runs</source>
        <translation>Die Läufe als Reihe untersuchen</translation>
    </message>
</context>
<context>
    <name>rankscope::ScreenController</name>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
</context>
<context>
    <name>rankscope::SearchPanel</name>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>word  /regular expression/  class:communication  dur&gt;1ms  rank:0-3  arg:group=…  -not</source>
        <translation>Wort  /regulärer Ausdruck/  class:communication  dur&gt;1ms  rank:0-3  arg:group=…  -nicht</translation>
    </message>
    <message>
        <source>Search events</source>
        <translation>Ereignisse suchen</translation>
    </message>
    <message>
        <source>Words and /expressions/ in names; class: kind: rank: lane: stream: dur&gt; arg:key=value; - before a term means not</source>
        <translation>Wörter und /Ausdrücke/ in Namen; class: kind: rank: lane: stream: dur&gt; arg:Schlüssel=Wert; - vor einem Begriff heißt nicht</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation>Nächster Treffer (Eingabe)</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitachse</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>S&amp;uche</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Suchen …</translation>
    </message>
    <message>
        <source>Search events by name, class, duration, rank or argument</source>
        <translation>Ereignisse nach Name, Klasse, Dauer, Rang oder Argument suchen</translation>
    </message>
    <message>
        <source>&amp;Next hit</source>
        <translation>&amp;Nächster Treffer</translation>
    </message>
    <message>
        <source>Select the next event that was found</source>
        <translation>Das nächste gefundene Ereignis wählen</translation>
    </message>
    <message>
        <source>&amp;Previous hit</source>
        <translation>&amp;Voriger Treffer</translation>
    </message>
    <message>
        <source>Select the previous event that was found</source>
        <translation>Das vorige gefundene Ereignis wählen</translation>
    </message>
    <message>
        <source>&amp;Clear search</source>
        <translation>Suche &amp;löschen</translation>
    </message>
    <message>
        <source>Forget what was searched for</source>
        <translation>Vergessen, was gesucht wurde</translation>
    </message>
    <message>
        <source>%1 of 1 hit</source>
        <translation>%1 von 1 Treffer</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 hits</source>
        <translation>
            <numerusform>%1 von %2 Treffer</numerusform>
            <numerusform>%1 von %2 Treffern</numerusform>
        </translation>
    </message>
    <message>
        <source>1 hit</source>
        <translation>1 Treffer</translation>
    </message>
    <message numerus="yes">
        <source>%1 hits</source>
        <translation>
            <numerusform>%1 Treffer</numerusform>
            <numerusform>%1 Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 in all; the first %3 are listed</source>
        <translation>%1, zusammen %2; die ersten %3 sind aufgelistet</translation>
    </message>
    <message>
        <source>%1, %2 in all</source>
        <translation>%1, zusammen %2</translation>
    </message>
</context>
<context>
    <name>rankscope::ServingPlot</name>
    <message>
        <source>Time of each step</source>
        <translation>Zeit jedes Schritts</translation>
    </message>
    <message>
        <source>time of a step (ms)</source>
        <translation>Zeit eines Schritts (ms)</translation>
    </message>
    <message>
        <source>no step with GPU work</source>
        <translation>kein Schritt mit GPU-Arbeit</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message numerus="yes">
        <source>%1 steps</source>
        <translation>
            <numerusform>%1 Schritt</numerusform>
            <numerusform>%1 Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>since the start of the run (%1)</source>
        <translation>seit Beginn des Laufs (%1)</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Über die Zeit</translation>
    </message>
    <message>
        <source>Over batch size</source>
        <translation>Über die Batchgröße</translation>
    </message>
    <message>
        <source>What the steps are drawn over</source>
        <translation>Worüber die Schritte gezeichnet sind</translation>
    </message>
    <message>
        <source>Batch size: requests that decode, or tokens of a step with prompts</source>
        <translation>Batchgröße: dekodierende Anfragen, oder Token eines Schritts mit Prompts</translation>
    </message>
    <message>
        <source>tokens of a step (prefill, mixed)</source>
        <translation>Token eines Schritts (Prefill, gemischt)</translation>
    </message>
    <message>
        <source>requests of a step (decode, verify)</source>
        <translation>Anfragen eines Schritts (Decode, Prüfung)</translation>
    </message>
    <message>
        <source>no step tells its batch size</source>
        <translation>kein Schritt nennt seine Batchgröße</translation>
    </message>
</context>
<context>
    <name>rankscope::ServingScreen</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 step, rank %2: %3</source>
        <translation>Schritt (%1), Rang %2: %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 requests</source>
        <translation>
            <numerusform>%1 Anfrage</numerusform>
            <numerusform>%1 Anfragen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens</source>
        <translation>
            <numerusform>%1 Token</numerusform>
            <numerusform>%1 Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Kinds of steps</source>
        <translation>Arten von Schritten</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>Serving</translation>
    </message>
    <message>
        <source>Click on a point</source>
        <translation>Klick auf einen Punkt</translation>
    </message>
    <message>
        <source>Select its step in the table</source>
        <translation>Seinen Schritt in der Tabelle wählen</translation>
    </message>
    <message>
        <source>Enter, double-click in the table</source>
        <translation>Eingabe, Doppelklick in der Tabelle</translation>
    </message>
    <message>
        <source>Show the step in the timeline</source>
        <translation>Den Schritt in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>%1 of the GPU&apos;s time is in graphs; captures beside the trace attribute %2 of that to operators.</source>
        <translation>%1 der GPU-Zeit liegt in Graphen; Captures neben dem Trace ordnen %2 davon Operatoren zu.</translation>
    </message>
    <message>
        <source>No steps of a serving engine in this run</source>
        <translation>Keine Schritte eines Serving-Systems in diesem Lauf</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What the steps compute</source>
        <translation>Was die Schritte berechnen</translation>
    </message>
    <message>
        <source>Of one rank</source>
        <translation>Eines Rangs</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Mean of a step, by its name</source>
        <translation>Mittel eines Schritts, nach seinem Namen</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Computed in a step: mean, by its name</source>
        <translation>In einem Schritt berechnet: Mittel, nach seinem Namen</translation>
    </message>
    <message>
        <source>Median (ms)</source>
        <translation>Median (ms)</translation>
    </message>
    <message>
        <source>From the end of the GPU&apos;s work for the step before to the end of its own</source>
        <translation>Vom Ende der GPU-Arbeit des vorigen Schritts bis zum Ende der eigenen</translation>
    </message>
    <message>
        <source>p95 (ms)</source>
        <translation>p95 (ms)</translation>
    </message>
    <message>
        <source>95 of 100 steps take no longer</source>
        <translation>95 von 100 Schritten dauern nicht länger</translation>
    </message>
    <message>
        <source>p99 (ms)</source>
        <translation>p99 (ms)</translation>
    </message>
    <message>
        <source>99 of 100 steps take no longer</source>
        <translation>99 von 100 Schritten dauern nicht länger</translation>
    </message>
    <message>
        <source>From the end of the work of the step before to its first work: median</source>
        <translation>Vom Ende der Arbeit des vorigen Schritts bis zu seiner ersten: Median</translation>
    </message>
    <message>
        <source>GPU busy (%)</source>
        <translation>GPU belegt (%)</translation>
    </message>
    <message>
        <source>Of the steps&apos; time</source>
        <translation>Von der Zeit der Schritte</translation>
    </message>
    <message>
        <source>%1 (%)</source>
        <translation>%1 (%)</translation>
    </message>
    <message>
        <source>Share of the steps&apos; time</source>
        <translation>Anteil an der Zeit der Schritte</translation>
    </message>
    <message>
        <source>What the step computes</source>
        <translation>Was der Schritt berechnet</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>The rank that recorded it</source>
        <translation>Der Rang, der ihn aufgezeichnet hat</translation>
    </message>
    <message>
        <source>Of its GPU work, since the start of the run</source>
        <translation>Seiner GPU-Arbeit, seit Beginn des Laufs</translation>
    </message>
    <message>
        <source>By its name</source>
        <translation>Nach seinem Namen</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>Zeit (ms)</translation>
    </message>
    <message>
        <source>From the end of the work of the step before to its first work</source>
        <translation>Vom Ende der Arbeit des vorigen Schritts bis zu seiner ersten</translation>
    </message>
    <message>
        <source>Of its time</source>
        <translation>Von seiner Zeit</translation>
    </message>
    <message>
        <source>Stalled by</source>
        <translation>Aufgehalten durch</translation>
    </message>
    <message>
        <source>What takes a tenth of its time or more beside computation</source>
        <translation>Was außer dem Rechnen ein Zehntel seiner Zeit oder mehr nimmt</translation>
    </message>
    <message>
        <source>Start (%1)</source>
        <translation>Beginn (%1)</translation>
    </message>
    <message>
        <source>Pause (µs)</source>
        <translation>Pause (µs)</translation>
    </message>
    <message>
        <source>Steps are drawn where the trace names them, as traces of vLLM, SGLang and TensorRT-LLM do. Start the server with its profiler, and a benchmark with --profile:

vllm serve MODEL --profiler-config &apos;{&quot;profiler&quot;: &quot;torch&quot;, &quot;torch_profiler_dir&quot;: &quot;/my_run&quot;}&apos;

SGLANG_TORCH_PROFILER_DIR=/my_run python -m sglang.launch_server --model-path MODEL</source>
        <translation>Schritte werden gezeichnet, wo der Trace sie benennt, wie es Traces von vLLM, SGLang und TensorRT-LLM tun. Starten Sie den Server mit seinem Profiler und einen Benchmark mit --profile:

vllm serve MODEL --profiler-config &apos;{&quot;profiler&quot;: &quot;torch&quot;, &quot;torch_profiler_dir&quot;: &quot;/my_run&quot;}&apos;

SGLANG_TORCH_PROFILER_DIR=/my_run python -m sglang.launch_server --model-path MODEL</translation>
    </message>
    <message>
        <source>Prompt tokens (1/s)</source>
        <translation>Prompt-Token (1/s)</translation>
    </message>
    <message>
        <source>Computed tokens of prompts over the steps&apos; time</source>
        <translation>Gerechnete Token von Prompts durch die Zeit der Schritte</translation>
    </message>
    <message>
        <source>Generated (1/s)</source>
        <translation>Erzeugt (1/s)</translation>
    </message>
    <message>
        <source>Tokens that requests receive, over the steps&apos; time. Drafts are no tokens.</source>
        <translation>Token, die Anfragen erhalten, durch die Zeit der Schritte. Entwürfe sind keine Token.</translation>
    </message>
    <message>
        <source>What a step is made of</source>
        <translation>Woraus ein Schritt besteht</translation>
    </message>
    <message>
        <source>What a %1 step is made of</source>
        <translation>Woraus ein Schritt besteht: %1</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>By the names of the kernels</source>
        <translation>Nach den Namen der Kernel</translation>
    </message>
    <message>
        <source>Time (µs)</source>
        <translation>Zeit (µs)</translation>
    </message>
    <message>
        <source>Of a step, mean. Each instant counts once: computation before communication before copies</source>
        <translation>Eines Schritts, im Mittel. Jeder Augenblick zählt einmal: Berechnung vor Kommunikation vor Kopien</translation>
    </message>
    <message>
        <source>Share (%)</source>
        <translation>Anteil (%)</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Of a step, mean</source>
        <translation>Eines Schritts, im Mittel</translation>
    </message>
    <message>
        <source>Layer (µs)</source>
        <translation>Schicht (µs)</translation>
    </message>
    <message>
        <source>Of a layer, mean; in the step of the median time</source>
        <translation>Einer Schicht, im Mittel; im Schritt mit der mittleren Zeit (Median)</translation>
    </message>
    <message>
        <source>… %1</source>
        <translation>… %1</translation>
    </message>
    <message>
        <source>%1 of the GPU&apos;s time is in graphs; no capture beside the trace tells of which operators.</source>
        <translation>%1 der GPU-Zeit liegt in Graphen; kein Capture neben dem Trace nennt deren Operatoren.</translation>
    </message>
    <message>
        <source>A layer, or some that alternate: %1 times the same %2 kernels, %3 each; the longest is number %4: %5</source>
        <translation>Eine Schicht, oder einige, die sich abwechseln: %1-mal dieselben %2 Kernel, je %3; die längste ist Nummer %4: %5</translation>
    </message>
</context>
<context>
    <name>rankscope::SessionController</name>
    <message>
        <source>What you left in this run cannot be kept: %1</source>
        <translation>Ihr Stand in diesem Lauf kann nicht gespeichert werden: %1</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Bookmark this view</source>
        <translation>Als &amp;Lesezeichen merken</translation>
    </message>
    <message>
        <source>Remember what is in view, with a note</source>
        <translation>Merken, was zu sehen ist, mit einer Notiz</translation>
    </message>
    <message>
        <source>&amp;List of bookmarks</source>
        <translation>L&amp;iste der Lesezeichen</translation>
    </message>
    <message>
        <source>Show or hide the list of bookmarks</source>
        <translation>Die Liste der Lesezeichen zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>What you left in this run is not restored: %1 (%2).</source>
        <translation>Ihr Stand in diesem Lauf wird nicht wiederhergestellt: %1 (%2).</translation>
    </message>
</context>
<context>
    <name>rankscope::SettingsController</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>E&amp;instellungen …</translation>
    </message>
    <message>
        <source>Theme, colours, fonts, kernel classes, peaks, folders</source>
        <translation>Thema, Farben, Schriften, Kernelklassen, Spitzenwerte, Ordner</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>&amp;Thema</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation>Hell oder dunkel wie die Arbeitsumgebung</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Light window</source>
        <translation>Helles Fenster</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Dark window</source>
        <translation>Dunkles Fenster</translation>
    </message>
</context>
<context>
    <name>rankscope::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages of settings</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren …</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>Language and scale change at the next start, and so does the font of headings.</source>
        <translation>Sprache, Skalierung und die Schrift von Überschriften ändern sich beim nächsten Start.</translation>
    </message>
    <message>
        <source>Numbers depend on neither. Ranks beyond the memory stay on disk and come back when looked at. Both hold from the next run that is read; --jobs and --memory on the command line come first.</source>
        <translation>Die Zahlen hängen von beidem nicht ab. Ränge, die nicht in den Speicher passen, bleiben auf der Platte und kommen zurück, wenn man sie ansieht. Beides gilt ab dem nächsten Lauf, der gelesen wird; --jobs und --memory auf der Kommandozeile gehen vor.</translation>
    </message>
    <message>
        <source>Open trace folders with Rankscope</source>
        <translation>Ordner mit Traces mit Rankscope öffnen</translation>
    </message>
    <message>
        <source>Adds &quot;Open with Rankscope&quot; to the context menu of folders, for you alone. Two folders open side by side. Double-clicking a folder does what it always did.</source>
        <translation>Fügt &quot;Open with Rankscope&quot; in das Kontextmenü von Ordnern ein, nur für Sie. Zwei Ordner öffnen nebeneinander. Ein Doppelklick auf einen Ordner tut, was er immer tat.</translation>
    </message>
    <message>
        <source>%1 (not installed)</source>
        <translation>%1 (nicht installiert)</translation>
    </message>
    <message>
        <source>A file manager that is running may show it only after its next start. In Nautilus it stands under Scripts.</source>
        <translation>Ein laufender Dateimanager zeigt es vielleicht erst nach seinem nächsten Start. In Nautilus steht es unter Skripte.</translation>
    </message>
    <message>
        <source>Every command&apos;s keys can be changed; Export and Import carry them along.</source>
        <translation>Die Tasten jedes Befehls lassen sich ändern; Exportieren und Importieren nehmen sie mit.</translation>
    </message>
    <message>
        <source>E&amp;dit shortcuts…</source>
        <translation>Tastenkürzel &amp;bearbeiten …</translation>
    </message>
    <message>
        <source>Export settings</source>
        <translation>Einstellungen exportieren</translation>
    </message>
    <message>
        <source>Settings (*.ini)</source>
        <translation>Einstellungen (*.ini)</translation>
    </message>
    <message>
        <source>Import settings</source>
        <translation>Einstellungen importieren</translation>
    </message>
    <message>
        <source>Host names in files, the workload card and --gpus-per-machine come first.</source>
        <translation>Hostnamen in Dateien, die Workload-Karte und --gpus-per-machine gehen vor.</translation>
    </message>
</context>
<context>
    <name>rankscope::ShortcutsDialog</name>
    <message>
        <source>&amp;Assign</source>
        <translation>&amp;Zuweisen</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Rese&amp;t</source>
        <translation>Zurück&amp;setzen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Filter by command, key or description</source>
        <translation>Nach Befehl, Taste oder Beschreibung filtern</translation>
    </message>
    <message>
        <source>Filter shortcuts</source>
        <translation>Tastenkürzel filtern</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Gesture</source>
        <translation>Geste</translation>
    </message>
    <message>
        <source>&amp;New key:</source>
        <translation>&amp;Neue Taste:</translation>
    </message>
    <message>
        <source>New key for the command</source>
        <translation>Neue Taste für den Befehl</translation>
    </message>
    <message>
        <source>Use this key instead of the command&apos;s keys</source>
        <translation>Diese Taste statt der Tasten des Befehls verwenden</translation>
    </message>
    <message>
        <source>Use this key beside the command&apos;s keys</source>
        <translation>Diese Taste neben den Tasten des Befehls verwenden</translation>
    </message>
    <message>
        <source>Take all keys from the command</source>
        <translation>Dem Befehl alle Tasten nehmen</translation>
    </message>
    <message>
        <source>Give the command the keys it came with</source>
        <translation>Dem Befehl seine ursprünglichen Tasten geben</translation>
    </message>
    <message>
        <source>Reset a&amp;ll</source>
        <translation>&amp;Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Changed; it came with: %1</source>
        <translation>Geändert; ursprünglich: %1</translation>
    </message>
    <message>
        <source>Select a command to change its keys.</source>
        <translation>Wählen Sie einen Befehl, um seine Tasten zu ändern.</translation>
    </message>
    <message>
        <source>Press the new key in the field.</source>
        <translation>Drücken Sie die neue Taste im Feld.</translation>
    </message>
    <message>
        <source>Nothing else uses this key.</source>
        <translation>Nichts anderes nutzt diese Taste.</translation>
    </message>
    <message>
        <source>Used by: %1. Assigning it takes it from there.</source>
        <translation>Benutzt von: %1. Zuweisen nimmt sie dort weg.</translation>
    </message>
</context>
<context>
    <name>rankscope::SliceMenu</name>
    <message>
        <source>&amp;Next of this name</source>
        <translation>&amp;Nächster dieses Namens</translation>
    </message>
    <message>
        <source>&amp;Previous of this name</source>
        <translation>&amp;Voriger dieses Namens</translation>
    </message>
    <message>
        <source>&amp;Copy name</source>
        <translation>Namen &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;values</source>
        <translation>&amp;Werte kopieren</translation>
    </message>
    <message>
        <source>This call on &amp;other ranks</source>
        <translation>Dieser Aufruf auf &amp;anderen Rängen</translation>
    </message>
    <message numerus="yes">
        <source>and %1 more</source>
        <translation>
            <numerusform>und %1 weiterer</numerusform>
            <numerusform>und %1 weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>starts at the same time</source>
        <translation>beginnt zur selben Zeit</translation>
    </message>
    <message>
        <source>starts %1 later</source>
        <translation>beginnt %1 später</translation>
    </message>
    <message>
        <source>starts %1 earlier</source>
        <translation>beginnt %1 früher</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
    <message>
        <source>&amp;Treat these kernels as</source>
        <translation>Diese Kernel &amp;behandeln als</translation>
    </message>
    <message>
        <source>&amp;Computation</source>
        <translation>&amp;Rechnen</translation>
    </message>
    <message>
        <source>C&amp;ommunication</source>
        <translation>&amp;Kommunikation</translation>
    </message>
    <message>
        <source>Memory co&amp;pies</source>
        <translation>&amp;Speicherkopien</translation>
    </message>
    <message>
        <source>Memory &amp;sets</source>
        <translation>&amp;Memsets</translation>
    </message>
    <message>
        <source>All kernels whose names match %1, in all runs</source>
        <translation>Alle Kernel, deren Namen zu %1 passen, in allen Läufen</translation>
    </message>
    <message>
        <source>As &amp;their names say</source>
        <translation>Wie ihre &amp;Namen sagen</translation>
    </message>
    <message>
        <source>Open all of this name in &amp;Query</source>
        <translation>Alle dieses Namens in der &amp;Abfrage öffnen</translation>
    </message>
</context>
<context>
    <name>rankscope::SpeedSlider</name>
    <message>
        <source>1.25× as fast</source>
        <translation>1.25× so schnell</translation>
    </message>
    <message>
        <source>as recorded</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>no time</source>
        <translation>keine Zeit</translation>
    </message>
    <message>
        <source>%1× as fast</source>
        <translation>%1× so schnell</translation>
    </message>
</context>
<context>
    <name>rankscope::StartPage</name>
    <message>
        <source>Recent runs</source>
        <translation>Zuletzt geöffnete Läufe</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Open a folder of traces…</source>
        <translation>Ordner mit Traces öffnen …</translation>
    </message>
    <message>
        <source>Open one file…</source>
        <translation>Eine Datei öffnen …</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>Demo ausprobieren</translation>
    </message>
    <message>
        <source>Generates and opens two small runs of 8 ranks, one of them with a slow rank</source>
        <translation>Erzeugt und öffnet zwei kleine Läufe mit 8 Rängen, einen davon mit einem langsamen Rang</translation>
    </message>
    <message>
        <source>Where did the time go, who holds up whom?</source>
        <translation>Wo ist die Zeit geblieben, wer hält wen auf?</translation>
    </message>
    <message>
        <source>Open the traces of a job on several GPUs.</source>
        <translation>Öffnen Sie die Traces eines Jobs auf mehreren GPUs.</translation>
    </message>
    <message>
        <source>Or drop folders and files anywhere on this window; two are put side by side.</source>
        <translation>Oder legen Sie Ordner und Dateien irgendwo in diesem Fenster ab; zwei werden nebeneinander gestellt.</translation>
    </message>
</context>
<context>
    <name>rankscope::StepPanel</name>
    <message>
        <source>A step takes %1; one is recorded.</source>
        <translation>Ein Schritt dauert %1; einer ist aufgezeichnet.</translation>
    </message>
    <message>
        <source>A step takes %1; all %2 take as long, within %3.</source>
        <translation>Ein Schritt dauert %1; alle %2 dauern gleich lang, bis auf %3.</translation>
    </message>
    <message>
        <source>A step takes %1; the %2 take %3 to %4.</source>
        <translation>Ein Schritt dauert %1; die %2 dauern %3 bis %4.</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <translation>%1 %2 (%3)</translation>
    </message>
    <message>
        <source>%1: %2 of the mean rank&apos;s step.</source>
        <translation>%1: %2 vom Schritt des mittleren Rangs.</translation>
    </message>
    <message>
        <source>Step %1 of %2 takes %3. A click shows it in the timeline.</source>
        <translation>Schritt %1 von %2 dauert %3. Ein Klick zeigt ihn in der Zeitachse.</translation>
    </message>
    <message>
        <source>Click: show the Serving screen</source>
        <translation>Klick: zeigt die Ansicht Serving</translation>
    </message>
    <message>
        <source>Click: show the longest step in the timeline</source>
        <translation>Klick: zeigt den längsten Schritt in der Zeitachse</translation>
    </message>
    <message>
        <source>Click: show the evidence</source>
        <translation>Klick: zeigt, woran es zu sehen ist</translation>
    </message>
    <message>
        <source>The engine&apos;s steps are on the Serving screen; from the end of earlier work to its last GPU work a rank takes %1.</source>
        <translation>Die Schritte des Dienstes stehen auf der Seite Serving; vom Ende früherer Arbeit bis zu seiner letzten GPU-Arbeit braucht ein Rang %1.</translation>
    </message>
    <message>
        <source>No steps are known: from the end of earlier work to its last GPU work a rank takes %1.</source>
        <translation>Es sind keine Schritte bekannt: Vom Ende früherer Arbeit bis zu seiner letzten GPU-Arbeit braucht ein Rang %1.</translation>
    </message>
    <message>
        <source>The engine&apos;s steps are on the Serving screen; from its first to its last GPU work a rank takes %1.</source>
        <translation>Die Schritte des Dienstes stehen auf der Seite Serving; von seiner ersten bis zu seiner letzten GPU-Arbeit braucht ein Rang %1.</translation>
    </message>
    <message>
        <source>No steps are known: from its first to its last GPU work a rank takes %1.</source>
        <translation>Es sind keine Schritte bekannt: Von seiner ersten bis zu seiner letzten GPU-Arbeit braucht ein Rang %1.</translation>
    </message>
</context>
<context>
    <name>rankscope::StudyMultiples</name>
    <message>
        <source>All metrics over the runs</source>
        <translation>Alle Metriken über die Läufe</translation>
    </message>
    <message>
        <source>each on its own scale</source>
        <translation>jede in ihrem eigenen Maßstab</translation>
    </message>
    <message numerus="yes">
        <source>%1 metrics</source>
        <translation>
            <numerusform>%1 Metrik</numerusform>
            <numerusform>%1 Metriken</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankscope::StudyPlot</name>
    <message>
        <source>A metric over the runs</source>
        <translation>Eine Metrik über die Läufe</translation>
    </message>
    <message>
        <source>no run has it</source>
        <translation>kein Lauf hat sie</translation>
    </message>
</context>
<context>
    <name>rankscope::StudyScreen</name>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Add a run, or all runs of a folder</source>
        <translation>Einen Lauf oder alle Läufe eines Ordners hinzufügen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Remove all runs from the study</source>
        <translation>Alle Läufe aus der Studie entfernen</translation>
    </message>
    <message>
        <source>Order by</source>
        <translation>Ordnen nach</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Plot against</source>
        <translation>Zeichnen über</translation>
    </message>
    <message>
        <source>Runs of the study</source>
        <translation>Läufe der Studie</translation>
    </message>
    <message>
        <source>Changes of level</source>
        <translation>Sprünge</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>against</source>
        <translation>über</translation>
    </message>
    <message>
        <source>A run, or a folder of runs</source>
        <translation>Ein Lauf oder ein Ordner mit Läufen</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Drop folders or files</source>
        <translation>Ordner oder Dateien ablegen</translation>
    </message>
    <message>
        <source>Add their runs to the study</source>
        <translation>Ihre Läufe zur Studie hinzufügen</translation>
    </message>
    <message>
        <source>Click on a point</source>
        <translation>Klick auf einen Punkt</translation>
    </message>
    <message>
        <source>Select its run in the table</source>
        <translation>Seinen Lauf in der Tabelle wählen</translation>
    </message>
    <message>
        <source>Click on a small plot</source>
        <translation>Klick auf ein kleines Diagramm</translation>
    </message>
    <message>
        <source>Show that metric in the large one</source>
        <translation>Diese Metrik im großen zeigen</translation>
    </message>
    <message>
        <source>Enter, double-click in the table</source>
        <translation>Eingabe, Doppelklick in der Tabelle</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>Den Lauf öffnen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>looking for runs…</source>
        <translation>Läufe werden gesucht …</translation>
    </message>
    <message>
        <source>reading %1, %2 of %3</source>
        <translation>%1 wird gelesen, %2 von %3</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>ausgelassen: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 left out: %2 …</source>
        <translation>
            <numerusform>%1 ausgelassen: %2 …</numerusform>
            <numerusform>%1 ausgelassen: %2 …</numerusform>
        </translation>
    </message>
    <message>
        <source>the runs in order</source>
        <translation>die Läufe in Reihenfolge</translation>
    </message>
    <message>
        <source>Efficiency of strong scaling</source>
        <translation>Effizienz bei starker Skalierung</translation>
    </message>
    <message>
        <source>Efficiency of weak scaling</source>
        <translation>Effizienz bei schwacher Skalierung</translation>
    </message>
    <message>
        <source>What the runs are ordered by</source>
        <translation>Wonach die Läufe geordnet sind</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Name of its folder</source>
        <translation>Name seines Ordners</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Strong</source>
        <translation>Stark</translation>
    </message>
    <message>
        <source>Weak</source>
        <translation>Schwach</translation>
    </message>
    <message>
        <source>A change of level needs six runs or more.</source>
        <translation>Ein Sprung ist erst ab sechs Läufen erkennbar.</translation>
    </message>
    <message>
        <source>No metric changed its level.</source>
        <translation>Keine Metrik hat einen Sprung.</translation>
    </message>
    <message>
        <source>runs by %1</source>
        <translation>Läufe nach %1</translation>
    </message>
    <message>
        <source>World size; ranks with a trace, where not all have one</source>
        <translation>Zahl der Ränge; die mit einer Aufzeichnung, wenn nicht alle eine haben</translation>
    </message>
    <message>
        <source>No runs in this study</source>
        <translation>Keine Läufe in dieser Studie</translation>
    </message>
    <message>
        <source>%1: %2 from %3 on, %4 instead of %5 (%6)</source>
        <translation>%1: %2 ab %3, %4 statt %5 (%6)</translation>
    </message>
    <message>
        <source>Chance that noise looks like this: %1</source>
        <translation>Wahrscheinlichkeit, dass Rauschen so aussieht: %1</translation>
    </message>
    <message>
        <source>Drop folders of runs here, or add them above. Each run becomes a row, and each metric a series over date, world size or any setting.

The recording template sweep.sh records one run for each value of a setting:

sweep.sh runs NCCL_ALGO &quot;Ring Tree&quot; torchrun --nproc-per-node 8 train.py</source>
        <translation>Legen Sie Ordner von Läufen hier ab, oder fügen Sie sie oben hinzu. Jeder Lauf wird eine Zeile und jede Metrik eine Reihe über Datum, Weltgröße oder eine beliebige Einstellung.

Die Aufzeichnungsvorlage sweep.sh zeichnet für jeden Wert einer Einstellung einen Lauf auf:

sweep.sh runs NCCL_ALGO &quot;Ring Tree&quot; torchrun --nproc-per-node 8 train.py</translation>
    </message>
    <message>
        <source>Efficiency by step time against the smallest run, where all runs do the same work</source>
        <translation>Effizienz nach der Schrittzeit gegen den kleinsten Lauf, wenn alle Läufe dieselbe Arbeit tun</translation>
    </message>
    <message>
        <source>Efficiency by step time against the smallest run, where each rank does the same work</source>
        <translation>Effizienz nach der Schrittzeit gegen den kleinsten Lauf, wenn jeder Rang dieselbe Arbeit tut</translation>
    </message>
    <message>
        <source>± is the spread between the steps of the run</source>
        <translation>± ist die Streuung zwischen den Schritten des Laufs</translation>
    </message>
    <message>
        <source>Add open runs</source>
        <translation>Offene Läufe hinzufügen</translation>
    </message>
    <message>
        <source>Add all open runs</source>
        <translation>Alle offenen Läufe hinzufügen</translation>
    </message>
</context>
<context>
    <name>rankscope::Tile</name>
    <message>
        <source>Not available: %1</source>
        <translation>Nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>Click: show the evidence</source>
        <translation>Klick: zeigt, woran es zu sehen ist</translation>
    </message>
</context>
<context>
    <name>rankscope::TileStrip</name>
    <message>
        <source>Headline numbers</source>
        <translation>Wichtigste Zahlen</translation>
    </message>
</context>
<context>
    <name>rankscope::TimeRuler</name>
    <message>
        <source>Time ruler</source>
        <translation>Zeitlineal</translation>
    </message>
    <message>
        <source>from step start</source>
        <translation>ab Beginn des Schritts</translation>
    </message>
    <message>
        <source>the trace has no wall clock</source>
        <translation>der Trace hat keine Uhrzeit</translation>
    </message>
    <message>
        <source> UTC</source>
        <translation> UTC</translation>
    </message>
    <message>
        <source>Times since the &amp;run started</source>
        <translation>Zeiten seit Beginn des &amp;Laufs</translation>
    </message>
    <message>
        <source>Times since the &amp;step started</source>
        <translation>Zeiten seit Beginn des &amp;Schritts</translation>
    </message>
    <message>
        <source>&amp;Wall clock (UTC)</source>
        <translation>&amp;Uhrzeit (UTC)</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step %1 on the host</source>
        <translation>Schritt %1 auf dem Host</translation>
    </message>
    <message>
        <source>from step start of rank %1</source>
        <translation>ab Beginn des Schritts von Rang %1</translation>
    </message>
    <message>
        <source>step %1 on the host of rank %2</source>
        <translation>Schritt %1 auf dem Host von Rang %2</translation>
    </message>
    <message>
        <source>step %1 of rank %2</source>
        <translation>Schritt %1 von Rang %2</translation>
    </message>
</context>
<context>
    <name>rankscope::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Rad</translation>
    </message>
    <message>
        <source>Scroll the lanes</source>
        <translation>Spuren rollen</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Rad</translation>
    </message>
    <message>
        <source>Ctrl+wheel, pinch</source>
        <translation>Strg+Rad, zwei Finger spreizen</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>Am Zeiger zoomen</translation>
    </message>
    <message>
        <source>Ctrl+Alt+wheel</source>
        <translation>Strg+Alt+Rad</translation>
    </message>
    <message>
        <source>Make lanes higher or lower</source>
        <translation>Spuren höher oder niedriger machen</translation>
    </message>
    <message>
        <source>Right click or Menu, on a lane&apos;s name</source>
        <translation>Rechtsklick oder Menü, auf dem Namen einer Spur</translation>
    </message>
    <message>
        <source>Fold, pin, hide, move</source>
        <translation>Zuklappen, anheften, ausblenden, verschieben</translation>
    </message>
    <message>
        <source>Right click on a slice, or Menu</source>
        <translation>Rechtsklick auf einen Slice, oder Menü</translation>
    </message>
    <message>
        <source>What can be done with the slice</source>
        <translation>Was mit dem Slice möglich ist</translation>
    </message>
    <message>
        <source>Drag of a rank&apos;s name</source>
        <translation>Ziehen am Namen eines Rangs</translation>
    </message>
    <message>
        <source>Move the rank among the others</source>
        <translation>Den Rang unter den anderen verschieben</translation>
    </message>
    <message>
        <source>Shift+wheel, two fingers sideways, drag</source>
        <translation>Umschalt+Rad, zwei Finger seitwärts, Ziehen</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>In der Zeit verschieben</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>Select the slice</source>
        <translation>Den Slice wählen</translation>
    </message>
    <message>
        <source>Double-click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>Zoom to the slice</source>
        <translation>Auf den Slice zoomen</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>zoom</source>
        <translation>zoomen</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>schieben</translation>
    </message>
    <message>
        <source>double-click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>einpassen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitachse</translation>
    </message>
    <message>
        <source>&amp;Move</source>
        <translation>&amp;Bewegen</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoom in, as long as the key is held</source>
        <translation>Vergrößern, solange die Taste gedrückt ist</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Zoom out, as long as the key is held</source>
        <translation>Verkleinern, solange die Taste gedrückt ist</translation>
    </message>
    <message>
        <source>Move &amp;left</source>
        <translation>Nach &amp;links</translation>
    </message>
    <message>
        <source>Move to earlier times, as long as the key is held</source>
        <translation>Zu früheren Zeiten, solange die Taste gedrückt ist</translation>
    </message>
    <message>
        <source>Move &amp;right</source>
        <translation>Nach &amp;rechts</translation>
    </message>
    <message>
        <source>Move to later times, as long as the key is held</source>
        <translation>Zu späteren Zeiten, solange die Taste gedrückt ist</translation>
    </message>
    <message>
        <source>Scroll &amp;up</source>
        <translation>Nach &amp;oben</translation>
    </message>
    <message>
        <source>Scroll to the lanes above</source>
        <translation>Zu den Spuren darüber rollen</translation>
    </message>
    <message>
        <source>Scroll &amp;down</source>
        <translation>Nach &amp;unten</translation>
    </message>
    <message>
        <source>Scroll to the lanes below</source>
        <translation>Zu den Spuren darunter rollen</translation>
    </message>
    <message>
        <source>&amp;Page up</source>
        <translation>Seite &amp;hoch</translation>
    </message>
    <message>
        <source>Scroll up by what is in view</source>
        <translation>Um das Sichtbare nach oben rollen</translation>
    </message>
    <message>
        <source>Page do&amp;wn</source>
        <translation>Seite heru&amp;nter</translation>
    </message>
    <message>
        <source>Scroll down by what is in view</source>
        <translation>Um das Sichtbare nach unten rollen</translation>
    </message>
    <message>
        <source>&amp;First lane</source>
        <translation>&amp;Erste Spur</translation>
    </message>
    <message>
        <source>Scroll to the first lane</source>
        <translation>Zur ersten Spur rollen</translation>
    </message>
    <message>
        <source>L&amp;ast lane</source>
        <translation>Le&amp;tzte Spur</translation>
    </message>
    <message>
        <source>Scroll to the last lane</source>
        <translation>Zur letzten Spur rollen</translation>
    </message>
    <message>
        <source>&amp;Fit selection, then all</source>
        <translation>&amp;Auswahl einpassen, dann alles</translation>
    </message>
    <message>
        <source>Zoom to the selected slice; again: to everything</source>
        <translation>Auf den gewählten Slice zoomen; noch einmal: auf alles</translation>
    </message>
    <message>
        <source>Show &amp;everything</source>
        <translation>Alles zei&amp;gen</translation>
    </message>
    <message>
        <source>Zoom out to the whole run</source>
        <translation>Auf den ganzen Lauf verkleinern</translation>
    </message>
    <message>
        <source>Zoom &amp;back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Return to the part seen before</source>
        <translation>Zum vorher gesehenen Teil zurück</translation>
    </message>
    <message>
        <source>Zoom for&amp;ward</source>
        <translation>Vor&amp;wärts</translation>
    </message>
    <message>
        <source>Redo the last movement</source>
        <translation>Die letzte Bewegung wiederholen</translation>
    </message>
    <message>
        <source>&amp;Previous slice</source>
        <translation>Vor&amp;iger Slice</translation>
    </message>
    <message>
        <source>Select the previous slice of the lane</source>
        <translation>Den vorigen Slice der Spur wählen</translation>
    </message>
    <message>
        <source>&amp;Next slice</source>
        <translation>Nä&amp;chster Slice</translation>
    </message>
    <message>
        <source>Select the next slice of the lane</source>
        <translation>Den nächsten Slice der Spur wählen</translation>
    </message>
    <message>
        <source>&amp;Clear selection</source>
        <translation>Auswa&amp;hl aufheben</translation>
    </message>
    <message>
        <source>Fold &amp;rank</source>
        <translation>&amp;Rang zuklappen</translation>
    </message>
    <message>
        <source>Fold or unfold the rank under the pointer or of the selection; among the lane names, the line in focus</source>
        <translation>Den Rang unter dem Zeiger oder der Auswahl auf- oder zuklappen; zwischen den Namen die Zeile im Fokus</translation>
    </message>
    <message>
        <source>&amp;Lanes</source>
        <translation>&amp;Spuren</translation>
    </message>
    <message>
        <source>To the lane &amp;names</source>
        <translation>Zu den &amp;Namen der Spuren</translation>
    </message>
    <message>
        <source>Give the keyboard to the names of ranks and lanes: arrows walk and fold</source>
        <translation>Die Tastatur den Namen der Ränge und Spuren geben: Pfeile gehen und klappen</translation>
    </message>
    <message>
        <source>&amp;Filter lanes</source>
        <translation>Spuren &amp;filtern</translation>
    </message>
    <message>
        <source>Show only ranks and lanes with some text in their name</source>
        <translation>Nur Ränge und Spuren mit einem Text im Namen zeigen</translation>
    </message>
    <message>
        <source>&amp;Pin lane</source>
        <translation>Spur an&amp;heften</translation>
    </message>
    <message>
        <source>Keep the lane in focus at the top of the view, or let it go again</source>
        <translation>Die Spur im Fokus oben in der Ansicht festhalten oder wieder lösen</translation>
    </message>
    <message>
        <source>&amp;Hide lane</source>
        <translation>Spur aus&amp;blenden</translation>
    </message>
    <message>
        <source>Leave the lane in focus out</source>
        <translation>Die Spur im Fokus weglassen</translation>
    </message>
    <message>
        <source>Move rank &amp;up</source>
        <translation>Rang nach &amp;oben</translation>
    </message>
    <message>
        <source>Put the rank in focus above the one before it</source>
        <translation>Den Rang im Fokus über den vorigen setzen</translation>
    </message>
    <message>
        <source>Move rank &amp;down</source>
        <translation>Rang nach &amp;unten</translation>
    </message>
    <message>
        <source>Put the rank in focus below the one after it</source>
        <translation>Den Rang im Fokus unter den nächsten setzen</translation>
    </message>
    <message>
        <source>&amp;Show hidden lanes</source>
        <translation>Ausgeblendete Spuren &amp;zeigen</translation>
    </message>
    <message>
        <source>Show all ranks and lanes that were hidden</source>
        <translation>Alle ausgeblendeten Ränge und Spuren zeigen</translation>
    </message>
    <message>
        <source>Fold &amp;all ranks</source>
        <translation>&amp;Alle Ränge zuklappen</translation>
    </message>
    <message>
        <source>Show each rank as one line</source>
        <translation>Jeden Rang als eine Zeile zeigen</translation>
    </message>
    <message>
        <source>&amp;Unfold all ranks</source>
        <translation>Alle Ränge auf&amp;klappen</translation>
    </message>
    <message>
        <source>Show the lanes of every rank</source>
        <translation>Die Spuren jedes Rangs zeigen</translation>
    </message>
    <message>
        <source>H&amp;igher lanes</source>
        <translation>Höh&amp;ere Spuren</translation>
    </message>
    <message>
        <source>Make all lanes higher</source>
        <translation>Alle Spuren höher machen</translation>
    </message>
    <message>
        <source>L&amp;ower lanes</source>
        <translation>N&amp;iedrigere Spuren</translation>
    </message>
    <message>
        <source>Make all lanes lower</source>
        <translation>Alle Spuren niedriger machen</translation>
    </message>
    <message>
        <source>Times since the start of the &amp;run</source>
        <translation>Zeiten seit Beginn des &amp;Laufs</translation>
    </message>
    <message>
        <source>Show times since the start of the run</source>
        <translation>Zeiten seit Beginn des Laufs zeigen</translation>
    </message>
    <message>
        <source>Times since the start of the &amp;step</source>
        <translation>Zeiten seit Beginn des &amp;Schritts</translation>
    </message>
    <message>
        <source>&amp;Wall clock (UTC)</source>
        <translation>&amp;Uhrzeit (UTC)</translation>
    </message>
    <message>
        <source>Show the time of day, if the trace has it</source>
        <translation>Die Uhrzeit zeigen, wenn der Trace sie hat</translation>
    </message>
    <message>
        <source>&amp;Ruler</source>
        <translation>&amp;Lineal</translation>
    </message>
    <message>
        <source>By &amp;class</source>
        <translation>Nach &amp;Klasse</translation>
    </message>
    <message>
        <source>Colour slices by what they are for</source>
        <translation>Slices nach ihrem Zweck färben</translation>
    </message>
    <message>
        <source>By &amp;name</source>
        <translation>Nach &amp;Name</translation>
    </message>
    <message>
        <source>Give slices of one name one colour</source>
        <translation>Slices gleichen Namens eine Farbe geben</translation>
    </message>
    <message>
        <source>By &amp;operator</source>
        <translation>Nach &amp;Operator</translation>
    </message>
    <message>
        <source>Give GPU work the colour of the operator that launched it</source>
        <translation>GPU-Arbeit die Farbe des Operators geben, der sie gestartet hat</translation>
    </message>
    <message>
        <source>By &amp;deviation</source>
        <translation>Nach &amp;Abweichung</translation>
    </message>
    <message>
        <source>Show which slices take longer or shorter than others of their name on all ranks</source>
        <translation>Zeigen, welche Slices länger oder kürzer dauern als andere ihres Namens auf allen Rängen</translation>
    </message>
    <message>
        <source>C&amp;olour</source>
        <translation>&amp;Farbe</translation>
    </message>
    <message>
        <source>Lanes that fi&amp;t</source>
        <translation>Spuren, die &amp;passen</translation>
    </message>
    <message>
        <source>Fit all lanes into the view</source>
        <translation>Alle Spuren in die Ansicht einpassen</translation>
    </message>
    <message>
        <source>&amp;Fold</source>
        <translation>&amp;Zuklappen</translation>
    </message>
    <message>
        <source>Un&amp;fold</source>
        <translation>Auf&amp;klappen</translation>
    </message>
    <message>
        <source>Un&amp;pin</source>
        <translation>&amp;Lösen</translation>
    </message>
    <message>
        <source>&amp;Pin to the top</source>
        <translation>Oben an&amp;heften</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>&amp;Ausblenden</translation>
    </message>
    <message>
        <source>Hide all of rank %1</source>
        <translation>Rang %1 ganz ausblenden</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Show all (%1 hidden)</source>
        <translation>
            <numerusform>Alle &amp;zeigen (%1 ausgeblendet)</numerusform>
            <numerusform>Alle &amp;zeigen (%1 ausgeblendet)</numerusform>
        </translation>
    </message>
    <message>
        <source>Move rank %1 &amp;up</source>
        <translation>Rang %1 nach &amp;oben</translation>
    </message>
    <message>
        <source>Move rank %1 &amp;down</source>
        <translation>Rang %1 nach &amp;unten</translation>
    </message>
    <message>
        <source>Lane h&amp;eight</source>
        <translation>&amp;Höhe der Spuren</translation>
    </message>
    <message>
        <source>&amp;Fit the window</source>
        <translation>In das Fenster &amp;passen</translation>
    </message>
    <message>
        <source>&amp;Compact</source>
        <translation>&amp;Kompakt</translation>
    </message>
    <message>
        <source>&amp;Normal</source>
        <translation>&amp;Normal</translation>
    </message>
    <message>
        <source>&amp;Tall</source>
        <translation>&amp;Hoch</translation>
    </message>
    <message>
        <source>Flow &amp;back</source>
        <translation>Verbin&amp;dung zurück</translation>
    </message>
    <message>
        <source>From a kernel to its launch, from a launch to its operator</source>
        <translation>Vom Kernel zu seinem Launch, vom Launch zu seinem Operator</translation>
    </message>
    <message>
        <source>Flow &amp;on</source>
        <translation>&amp;Verbindung vor</translation>
    </message>
    <message>
        <source>From an operator to its first launch, from a launch to its kernel</source>
        <translation>Vom Operator zu seinem ersten Launch, vom Launch zu seinem Kernel</translation>
    </message>
    <message>
        <source>Show or hide the overlay: %1</source>
        <translation>Overlay zeigen oder ausblenden: %1</translation>
    </message>
    <message>
        <source>&amp;Overlays</source>
        <translation>&amp;Overlays</translation>
    </message>
    <message>
        <source>Ran&amp;ge</source>
        <translation>B&amp;ereich</translation>
    </message>
    <message>
        <source>&amp;Mark as range</source>
        <translation>Als Bereich &amp;markieren</translation>
    </message>
    <message>
        <source>Mark the selected slice, or all that is in view, as the range</source>
        <translation>Den gewählten Slice, oder alles Sichtbare, als Bereich markieren</translation>
    </message>
    <message>
        <source>&amp;Zoom to the range</source>
        <translation>Auf den Bereich &amp;zoomen</translation>
    </message>
    <message>
        <source>Zoom to the marked range</source>
        <translation>Auf den markierten Bereich zoomen</translation>
    </message>
    <message>
        <source>&amp;End later</source>
        <translation>&amp;Ende später</translation>
    </message>
    <message>
        <source>Move the end of the range to a later time</source>
        <translation>Das Ende des Bereichs auf eine spätere Zeit setzen</translation>
    </message>
    <message>
        <source>E&amp;nd earlier</source>
        <translation>En&amp;de früher</translation>
    </message>
    <message>
        <source>Move the end of the range to an earlier time</source>
        <translation>Das Ende des Bereichs auf eine frühere Zeit setzen</translation>
    </message>
    <message>
        <source>&amp;Start later</source>
        <translation>&amp;Beginn später</translation>
    </message>
    <message>
        <source>Move the start of the range to a later time</source>
        <translation>Den Beginn des Bereichs auf eine spätere Zeit setzen</translation>
    </message>
    <message>
        <source>S&amp;tart earlier</source>
        <translation>Be&amp;ginn früher</translation>
    </message>
    <message>
        <source>Move the start of the range to an earlier time</source>
        <translation>Den Beginn des Bereichs auf eine frühere Zeit setzen</translation>
    </message>
    <message>
        <source>Shift+drag, drag on the ruler</source>
        <translation>Umschalt+Ziehen, Ziehen auf dem Lineal</translation>
    </message>
    <message>
        <source>Mark a range of time</source>
        <translation>Einen Zeitbereich markieren</translation>
    </message>
    <message>
        <source>Drag an edge of the range</source>
        <translation>Kante des Bereichs ziehen</translation>
    </message>
    <message>
        <source>Change the range</source>
        <translation>Den Bereich ändern</translation>
    </message>
    <message>
        <source>Click on the ruler</source>
        <translation>Klick auf das Lineal</translation>
    </message>
    <message>
        <source>Clear the range</source>
        <translation>Den Bereich löschen</translation>
    </message>
    <message>
        <source>GPU streams and CPU threads of all ranks over time</source>
        <translation>GPU-Streams und CPU-Threads aller Ränge über der Zeit</translation>
    </message>
    <message>
        <source>Scroll lanes</source>
        <translation>Spuren rollen</translation>
    </message>
    <message>
        <source>end of %1 (rank %2)</source>
        <translation>Ende von %1 (Rang %2)</translation>
    </message>
    <message>
        <source>start of %1 (rank %2)</source>
        <translation>Anfang von %1 (Rang %2)</translation>
    </message>
    <message>
        <source>from the %1</source>
        <translation>vom %1</translation>
    </message>
    <message>
        <source>to the %1</source>
        <translation>bis zum %1</translation>
    </message>
    <message>
        <source>Shift+drag from slice to slice</source>
        <translation>Umschalt+Ziehen von Slice zu Slice</translation>
    </message>
    <message>
        <source>Measure the time between their edges</source>
        <translation>Die Zeit zwischen ihren Kanten messen</translation>
    </message>
    <message>
        <source>Flame &amp;graph of rank %1</source>
        <translation>Flame &amp;Graph von Rang %1</translation>
    </message>
    <message>
        <source>Select nothing; then clear the range; then show all names</source>
        <translation>Nichts wählen; danach den Bereich löschen; danach alle Namen zeigen</translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation>&amp;Namen</translation>
    </message>
    <message>
        <source>Show &amp;only this name</source>
        <translation>N&amp;ur diesen Namen zeigen</translation>
    </message>
    <message>
        <source>Hide all slices but those of the selected one&apos;s name; again: show all</source>
        <translation>Alle Slices ausblenden, die anders heißen als der gewählte; noch einmal: alle zeigen</translation>
    </message>
    <message>
        <source>&amp;Hide this name</source>
        <translation>Diesen Namen aus&amp;blenden</translation>
    </message>
    <message>
        <source>Hide all slices of the selected one&apos;s name; again: show them</source>
        <translation>Alle Slices ausblenden, die wie der gewählte heißen; noch einmal: sie zeigen</translation>
    </message>
    <message>
        <source>&amp;Show all names</source>
        <translation>&amp;Alle Namen zeigen</translation>
    </message>
    <message>
        <source>Show the slices that were hidden by their names</source>
        <translation>Die Slices zeigen, die nach ihren Namen ausgeblendet wurden</translation>
    </message>
    <message>
        <source>it was called from here</source>
        <translation>von hier wurde er aufgerufen</translation>
    </message>
    <message>
        <source>its first launch</source>
        <translation>sein erster Launch</translation>
    </message>
    <message>
        <source>Nothing is known that it waited for.</source>
        <translation>Es ist nichts bekannt, worauf er gewartet hat.</translation>
    </message>
    <message>
        <source>Nothing is known that waited for it.</source>
        <translation>Es ist nichts bekannt, was auf ihn gewartet hat.</translation>
    </message>
    <message>
        <source>the same call, started %1 earlier than on rank %2</source>
        <translation>derselbe Aufruf, begann %1 früher als auf Rang %2</translation>
    </message>
    <message>
        <source>the same call, started %1 later than on rank %2</source>
        <translation>derselbe Aufruf, begann %1 später als auf Rang %2</translation>
    </message>
    <message>
        <source>No further rank of its call is known.</source>
        <translation>Es ist kein weiterer Rang seines Aufrufs bekannt.</translation>
    </message>
    <message>
        <source>rank %1 · %2</source>
        <translation>Rang %1 · %2</translation>
    </message>
    <message>
        <source>Select what held the selected slice up: its launch, work before it, the rank that arrived last at its call</source>
        <translation>Wählen, was den gewählten Slice aufgehalten hat: seinen Launch, Arbeit davor, den letzten Rang seines Aufrufs</translation>
    </message>
    <message>
        <source>What waited for i&amp;t</source>
        <translation>Was &amp;auf ihn gewartet hat</translation>
    </message>
    <message>
        <source>Select what the selected slice held up: work it launched, work after it, a rank that waited for it</source>
        <translation>Wählen, was der gewählte Slice aufgehalten hat: von ihm gestartete Arbeit, Arbeit danach, einen Rang, der auf ihn gewartet hat</translation>
    </message>
    <message>
        <source>Its call on the rank &amp;above</source>
        <translation>Sein Aufruf auf dem Rang &amp;darüber</translation>
    </message>
    <message>
        <source>Select the same collective call on the next lower rank</source>
        <translation>Denselben kollektiven Aufruf auf dem nächstniedrigeren Rang wählen</translation>
    </message>
    <message>
        <source>Select the same collective call on the next higher rank</source>
        <translation>Denselben kollektiven Aufruf auf dem nächsthöheren Rang wählen</translation>
    </message>
    <message>
        <source>Ctrl+drag</source>
        <translation>Strg+Ziehen</translation>
    </message>
    <message>
        <source>Mark another range, to compare it with the one before</source>
        <translation>Einen weiteren Bereich markieren, um ihn mit dem vorigen zu vergleichen</translation>
    </message>
    <message>
        <source>&amp;Dependencies</source>
        <translation>Abhängig&amp;keiten</translation>
    </message>
    <message>
        <source>&amp;What it waited for</source>
        <translation>&amp;Worauf er gewartet hat</translation>
    </message>
    <message>
        <source>Its call on the rank &amp;below</source>
        <translation>Sein Aufruf auf dem Rang da&amp;runter</translation>
    </message>
    <message>
        <source>Put the time of the selected slice beside the other ranges that are compared</source>
        <translation>Die Zeit des gewählten Slices neben die anderen verglichenen Bereiche stellen</translation>
    </message>
    <message>
        <source>Compare the s&amp;lice</source>
        <translation>Den Slice verglei&amp;chen</translation>
    </message>
    <message>
        <source>Show times since the start of each step</source>
        <translation>Zeiten seit dem Beginn jedes Schritts zeigen</translation>
    </message>
    <message>
        <source>&amp;Next GPU error</source>
        <translation>Nächster &amp;Fehler einer GPU</translation>
    </message>
    <message>
        <source>Go to the next error of a GPU that a kernel&apos;s log tells</source>
        <translation>Zum nächsten Fehler einer GPU, den ein Kernel-Log nennt</translation>
    </message>
    <message>
        <source>Previous &amp;GPU error</source>
        <translation>Vorheriger Fehler einer G&amp;PU</translation>
    </message>
    <message>
        <source>Go to the error of a GPU before it</source>
        <translation>Zum Fehler einer GPU davor</translation>
    </message>
</context>
<context>
    <name>rankscope::Tour</name>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>&amp;Skip the tour</source>
        <translation>Rundgang &amp;überspringen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>&amp;Fertig</translation>
    </message>
</context>
<context>
    <name>rankscope::TourController</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open the &amp;demo</source>
        <translation>De&amp;mo öffnen</translation>
    </message>
    <message>
        <source>Generate and open two small runs</source>
        <translation>Zwei kleine Läufe erzeugen und öffnen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>&amp;Rundgang</translation>
    </message>
    <message>
        <source>Six steps through the window</source>
        <translation>Sechs Schritte durch das Fenster</translation>
    </message>
    <message>
        <source>Where did the time go?</source>
        <translation>Wo ist die Zeit geblieben?</translation>
    </message>
    <message>
        <source>Each bar is a rank: compute, communication hidden behind it, communication that is waited for, copies, idle. The headline says which rank holds up the others, and what that costs.</source>
        <translation>Jeder Balken ist ein Rang: Rechnen, dahinter verdeckte Kommunikation, Kommunikation, auf die gewartet wird, Kopien, Leerlauf. Die Überschrift sagt, welcher Rang die anderen aufhält und was das kostet.</translation>
    </message>
    <message>
        <source>Every kernel of every rank</source>
        <translation>Jeder Kernel jedes Rangs</translation>
    </message>
    <message>
        <source>The timeline shows streams and threads of all ranks. A double-click on a rank&apos;s bar leads here. Ctrl+wheel zooms at the pointer, dragging moves; %1 / %2 and %3 / %4 do the same while held.</source>
        <translation>Die Zeitachse zeigt Streams und Threads aller Ränge. Ein Doppelklick auf den Balken eines Rangs führt hierher. Strg+Rad zoomt am Zeiger, Ziehen verschiebt; %1 / %2 und %3 / %4 tun dasselbe, solange sie gedrückt sind.</translation>
    </message>
    <message>
        <source>One collective on all ranks</source>
        <translation>Eine Kollektive auf allen Rängen</translation>
    </message>
    <message>
        <source>A click on a slice shows its arguments, what launched it, how long all of its name take, and for a collective who came when. The last one makes the others wait. A click on a rank goes to its call.</source>
        <translation>Ein Klick auf einen Slice zeigt seine Argumente, wer ihn gestartet hat, wie lange alle seines Namens dauern, und bei einer Kollektive, wer wann kam. Der Letzte lässt die anderen warten. Ein Klick auf einen Rang führt zu seinem Aufruf.</translation>
    </message>
    <message>
        <source>Go anywhere</source>
        <translation>Überall hingehen</translation>
    </message>
    <message>
        <source>%1 goes to a time, a step or the n-th call of a kernel, %2 to a rank or lane. %3 marks a place with a note, %4 takes the last movement back.</source>
        <translation>%1 geht zu einer Zeit, einem Schritt oder dem n-ten Aufruf eines Kernels, %2 zu einem Rang oder einer Spur. %3 merkt sich eine Stelle mit einer Notiz, %4 nimmt die letzte Bewegung zurück.</translation>
    </message>
    <message>
        <source>Everything by its name</source>
        <translation>Alles bei seinem Namen</translation>
    </message>
    <message>
        <source>%1 finds any command, %2 lists all keys, which you can change. %3 writes any table or plot on screen to a file.</source>
        <translation>%1 findet jeden Befehl, %2 listet alle Tasten auf, und Sie können sie ändern. %3 schreibt jede Tabelle und jedes Diagramm auf dem Bildschirm in eine Datei.</translation>
    </message>
    <message>
        <source>What changed?</source>
        <translation>Was hat sich geändert?</translation>
    </message>
    <message>
        <source>Compare puts two runs side by side: what a step takes longer for, and which metric, setting or kernel changed. Where two runs are listed, they are chosen.</source>
        <translation>Vergleichen stellt zwei Läufe nebeneinander: wofür ein Schritt länger braucht und welche Metrik, Einstellung oder welcher Kernel sich geändert hat. Sind zwei Läufe aufgeführt, werden sie gewählt.</translation>
    </message>
</context>
<context>
    <name>rankscope::UsedRangeBar</name>
    <message>
        <source>Step out</source>
        <translation>Heraustreten</translation>
    </message>
    <message>
        <source>Range used in all screens</source>
        <translation>In allen Ansichten benutzter Bereich</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ganzer Lauf</translation>
    </message>
    <message>
        <source>Return to the range before, or to the whole run</source>
        <translation>Zum vorigen Bereich zurück, oder zum ganzen Lauf</translation>
    </message>
    <message>
        <source>Forget all ranges</source>
        <translation>Alle Bereiche vergessen</translation>
    </message>
    <message numerus="yes">
        <source>%1 (inside %2 wider)</source>
        <translation>
            <numerusform>%1 (innerhalb von %2 weiteren)</numerusform>
            <numerusform>%1 (innerhalb von %2 weiteren)</numerusform>
        </translation>
    </message>
    <message>
        <source>Range %1–%2 of %3 %4 used everywhere but in Compare</source>
        <translation>Bereich %1–%2 von %3 %4 gilt überall außer im Vergleich</translation>
    </message>
</context>
<context>
    <name>rankscope::WhatIfPanel</name>
    <message>
        <source>the same</source>
        <translation>gleich viel</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>What if …</source>
        <translation>Was wäre, wenn …</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>What a step would take if something were different.
Not in the prediction: launch queues that are full, and kernels that slow each other down: less communication saves more than it says, more overlap less.</source>
        <translation>Was ein Schritt dauern würde, wenn etwas anders wäre.
Nicht in der Vorhersage: volle Launch-Warteschlangen und Kernel, die einander bremsen. Weniger Kommunikation spart mehr als angegeben, mehr Überlappung weniger.</translation>
    </message>
    <message>
        <source>Predicted time of a step</source>
        <translation>Vorhergesagte Zeit eines Schritts</translation>
    </message>
    <message>
        <source>Copy as --what-if</source>
        <translation>Als --what-if kopieren</translation>
    </message>
    <message>
        <source>Options of rankscope --batch that give the same number</source>
        <translation>Optionen von rankscope --batch, die dieselbe Zahl ergeben</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Everything as recorded</source>
        <translation>Alles wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Late ranks as fast as the median</source>
        <translation>Späte Ränge so schnell wie der Median</translation>
    </message>
    <message>
        <source>All communication</source>
        <translation>Alle Kommunikation</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Other communication</source>
        <translation>Andere Kommunikation</translation>
    </message>
    <message>
        <source>Communication of %1</source>
        <translation>Kommunikation von %1</translation>
    </message>
    <message>
        <source>Computation waits for no communication</source>
        <translation>Rechnen wartet auf keine Kommunikation</translation>
    </message>
    <message>
        <source>The host</source>
        <translation>Der Host</translation>
    </message>
    <message>
        <source>alone 99.9 % less</source>
        <translation>allein 99.9 % weniger</translation>
    </message>
    <message>
        <source>Kernel, by name or regular expression</source>
        <translation>Kernel, nach Name oder regulärem Ausdruck</translation>
    </message>
    <message>
        <source>A kernel of the list, or a regular expression of names</source>
        <translation>Ein Kernel der Liste oder ein regulärer Ausdruck für Namen</translation>
    </message>
    <message>
        <source>Kernel or /expression/</source>
        <translation>Kernel oder /Ausdruck/</translation>
    </message>
    <message>
        <source>The kernel</source>
        <translation>Der Kernel</translation>
    </message>
    <message>
        <source>Microbatches in a step</source>
        <translation>Mikrobatches in einem Schritt</translation>
    </message>
    <message>
        <source>Change something to see what a step would take.</source>
        <translation>Ändern Sie etwas, um zu sehen, was ein Schritt dauern würde.</translation>
    </message>
    <message>
        <source>alone %1</source>
        <translation>allein %1</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>Ausgelassen: %1</translation>
    </message>
    <message>
        <source>Assumes that %1.</source>
        <translation>Annahme: %1.</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>All stages</source>
        <translation>Alle Stufen</translation>
    </message>
    <message>
        <source>Stage %1 as the mean one</source>
        <translation>Stufe %1 wie die mittlere</translation>
    </message>
    <message>
        <source>%1 on all ranks</source>
        <translation>%1 auf allen Rängen</translation>
    </message>
    <message>
        <source>Links of %1</source>
        <translation>Verbindungen von %1</translation>
    </message>
    <message>
        <source>Rank %1 as its peers</source>
        <translation>Rang %1 wie seinesgleichen</translation>
    </message>
    <message>
        <source>Interleaved, 2 parts each</source>
        <translation>Verschränkt, je 2 Teile</translation>
    </message>
    <message>
        <source>Zero-bubble</source>
        <translation>Zero-Bubble</translation>
    </message>
    <message>
        <source>Evened out</source>
        <translation>Ausgeglichen</translation>
    </message>
    <message>
        <source>as recorded</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 a step instead of %2: %3. Throughput %4.</source>
        <translation>%1 je Schritt statt %2: %3. Durchsatz %4.</translation>
    </message>
    <message>
        <source>%1 instead of %2: %3. Throughput %4.</source>
        <translation>%1 statt %2: %3. Durchsatz %4.</translation>
    </message>
</context>
<context>
    <name>rankscope::WindowMenus</name>
    <message>
        <source>About Rankscope</source>
        <translation>Über Rankscope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Rankscope %1&lt;/h3&gt;&lt;p&gt;Where the time of a multi-rank GPU job goes, and who holds up whom.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. No warranty.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Rankscope %1&lt;/h3&gt;&lt;p&gt;Wohin die Zeit eines GPU-Jobs mit vielen Rängen geht und wer wen aufhält.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später. Ohne Gewähr.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Das Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>&amp;Läufe</translation>
    </message>
    <message>
        <source>Show or hide the list of runs</source>
        <translation>Die Liste der Läufe zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>Hidden &amp;notices</source>
        <translation>Ausgeblendete Hi&amp;nweise</translation>
    </message>
    <message>
        <source>Show the notices of this run that you hid</source>
        <translation>Die ausgeblendeten Hinweise dieses Laufs wieder zeigen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Show all shortcuts</source>
        <translation>Alle Tastenkürzel zeigen</translation>
    </message>
    <message>
        <source>&amp;About Rankscope</source>
        <translation>Ü&amp;ber Rankscope</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>&amp;Documentation</source>
        <translation>&amp;Dokumentation</translation>
    </message>
    <message>
        <source>Open the installed pages, first steps first</source>
        <translation>Die installierten Seiten öffnen, die ersten Schritte zuerst</translation>
    </message>
    <message>
        <source>&amp;Recent runs</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>&amp;Glossar</translation>
    </message>
    <message>
        <source>What the words of the window mean</source>
        <translation>Was die Wörter des Fensters bedeuten</translation>
    </message>
</context>
<context>
    <name>rankscope::WorkerMapView</name>
    <message>
        <source>Slowdown</source>
        <translation>Verlangsamung</translation>
    </message>
    <message>
        <source>Mean lag at collectives</source>
        <translation>Mittlerer Verzug bei Kollektiven</translation>
    </message>
    <message>
        <source>Idle GPU</source>
        <translation>Untätige GPU</translation>
    </message>
    <message>
        <source>Communication and waiting</source>
        <translation>Kommunikation und Warten</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>data-parallel rank</source>
        <translation>datenparalleler Rang</translation>
    </message>
    <message>
        <source>shard</source>
        <translation>Shard</translation>
    </message>
    <message>
        <source>context-parallel rank</source>
        <translation>kontextparalleler Rang</translation>
    </message>
    <message>
        <source>tensor-parallel rank</source>
        <translation>tensorparalleler Rang</translation>
    </message>
    <message>
        <source>expert-parallel rank</source>
        <translation>expertenparalleler Rang</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Heat map of workers</source>
        <translation>Heatmap der Worker</translation>
    </message>
    <message numerus="yes">
        <source>The worst of %1 ranks there</source>
        <translation>
            <numerusform>Der schlechteste von dort %1 Rang</numerusform>
            <numerusform>Der schlechteste von dort %1 Rängen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: colours from %2 to %3</source>
        <translation>%1: Farben von %2 bis %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Rank %1: %2, %3</source>
        <translation>Rang %1: %2, %3</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
</context>
<context>
    <name>rankscope::WorkersScreen</name>
    <message>
        <source>Slowdown</source>
        <translation>Verlangsamung</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Verzug</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>What stragglers cost</source>
        <translation>Was Nachzügler kosten</translation>
    </message>
    <message>
        <source>Heat map of workers</source>
        <translation>Heatmap der Worker</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Show this rank in the &amp;timeline</source>
        <translation>Diesen Rang in der &amp;Zeitachse zeigen</translation>
    </message>
    <message>
        <source>&amp;Colour:</source>
        <translation>&amp;Farbe:</translation>
    </message>
    <message>
        <source>&amp;Rows:</source>
        <translation>&amp;Zeilen:</translation>
    </message>
    <message>
        <source>C&amp;olumns:</source>
        <translation>&amp;Spalten:</translation>
    </message>
    <message>
        <source>Click in the heat map, arrow keys</source>
        <translation>Klick in die Heatmap, Pfeiltasten</translation>
    </message>
    <message>
        <source>Select the rank of the cell</source>
        <translation>Den Rang der Zelle wählen</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>Show the rank in the timeline</source>
        <translation>Den Rang in der Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy the table&apos;s selected rows, tab-separated</source>
        <translation>Die gewählten Zeilen der Tabelle kopieren, durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>Nothing is known of the workers</source>
        <translation>Von den Workern ist nichts bekannt</translation>
    </message>
    <message>
        <source>Slowdown by stragglers: %1.</source>
        <translation>Verlangsamung durch Nachzügler: %1.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Its number in the job</source>
        <translation>Seine Nummer im Job</translation>
    </message>
    <message>
        <source>Waits for this rank that its recorded work explains, summed over the other ranks and the recording. What nothing recorded explains, such as a late start, is left out</source>
        <translation>Warten auf diesen Rang, das seine aufgezeichnete Arbeit erklärt, Summe über die anderen Ränge und die Aufzeichnung. Was nichts Aufgezeichnetes erklärt, etwa ein später Start, zählt nicht mit</translation>
    </message>
    <message>
        <source>Waits of other ranks for a rank that arrived last because it had waited for this one: summed over the ranks and the recording</source>
        <translation>Warten anderer Ränge auf einen zuletzt angekommenen Rang, der selbst auf diesen gewartet hatte: Summe über Ränge und Aufzeichnung</translation>
    </message>
    <message>
        <source>The replay computes each step again from the recorded lengths of its operations, as they are and as if all workers took equally long. The difference is what stragglers cost.</source>
        <translation>Das Durchspielen berechnet jeden Schritt neu aus den aufgezeichneten Längen seiner Operationen: wie sie sind, und als ob alle Worker gleich lang brauchten. Der Unterschied ist, was Nachzügler kosten.</translation>
    </message>
    <message>
        <source>There is one rank: nothing to compare it with</source>
        <translation>Es gibt nur einen Rang: nichts, womit er sich vergleichen ließe</translation>
    </message>
    <message>
        <source>Workers are compared by the GPU work of several ranks, or by the operations of a job. Record every rank, each into a file of its own:

prof.export_chrome_trace(f&quot;my_run/rank{rank}.json.gz&quot;)</source>
        <translation>Worker werden nach der GPU-Arbeit mehrerer Ränge verglichen oder nach den Operationen eines Jobs. Zeichnen Sie jeden Rang auf, jeden in eine eigene Datei:

prof.export_chrome_trace(f&quot;my_run/rank{rank}.json.gz&quot;)</translation>
    </message>
    <message>
        <source>Comm. + waits</source>
        <translation>Komm. + Warten</translation>
    </message>
    <message>
        <source>Charged waits
in all</source>
        <translation>Angelastetes
Warten insgesamt</translation>
    </message>
    <message>
        <source>Passed on
in all</source>
        <translation>Weitergegeben
insgesamt</translation>
    </message>
</context>
</TS>
