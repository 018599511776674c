// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of a study: one value of every run against a key, and small multiples of all metrics.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <QWidget>

class QCPAxisRect;
class QCustomPlot;
class QLabel;

namespace rankscope {

/// A run as it is drawn. x: the key as a number, or the place in the order.
struct StudyPoint {
    std::size_t run = 0; ///< index in Study::runs
    double x = 0;
    double value = 0;
    double spread = 0;    ///< NaN: not known
    bool changed = false; ///< the first on a new level
    QString words;
};

struct StudySeries {
    QString title; ///< "Step time"
    QString unit;
    QString across;     ///< what x is
    QStringList labels; ///< of x = 0, 1 ...; empty: x is a number
    bool ideal = false; ///< an efficiency: a line at 1
    std::vector<StudyPoint> points;
};

/// A click on a point chooses its run.
class StudyPlot : public QWidget {
    Q_OBJECT
public:
    explicit StudyPlot(QWidget* parent = nullptr);
    void setSeries(StudySeries series);
    void setChosen(std::optional<std::size_t> run);
    [[nodiscard]] const StudySeries& series() const { return series_; }
    [[nodiscard]] QPoint positionOf(const StudyPoint& point) const; ///< in this widget's coordinates

    [[nodiscard]] QSize sizeHint() const override { return {560, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 130}; }

Q_SIGNALS:
    void runChosen(std::size_t run);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void draw();
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF position) const;

    StudySeries series_;
    std::optional<std::size_t> chosen_;
    QLabel* title_;
    QLabel* words_;
    QCustomPlot* plot_;
};

/// Small plots of many series, each on a scale of its own. A click on one chooses it.
class StudyMultiples : public QWidget {
    Q_OBJECT
public:
    explicit StudyMultiples(QWidget* parent = nullptr);
    void setSeries(std::vector<StudySeries> series);
    [[nodiscard]] std::size_t count() const { return series_.size(); }
    [[nodiscard]] QPoint positionOf(std::size_t series) const; ///< the middle of its plot, in this widget's coordinates

    [[nodiscard]] QSize sizeHint() const override { return {560, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 130}; }

Q_SIGNALS:
    void seriesChosen(std::size_t series);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void draw();

    std::vector<StudySeries> series_;
    std::vector<QCPAxisRect*> places_;
    QLabel* words_;
    QCustomPlot* plot_;
};

} // namespace rankscope
